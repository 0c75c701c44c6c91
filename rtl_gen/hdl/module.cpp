// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "rtl_gen/hdl/check.h"
#include "rtl_gen/hdl/eval.h"
#include "rtl_gen/hdl/names.h"
#include "rtl_gen/hdl/printer.h"
#include "rtl_gen/hdl/walk.h"

namespace weft::rtl::hdl {
namespace {

using Domain = Type::Domain;

void must_be_size(const Expr& x, const std::string& what) {
  if (!x.type().is_integer() || !x.type().constant) {
    throw HdlError(fmt::format("{} must be a constant integer, not {}", what, to_verilog(x)));
  }
}

Type vector_type(const std::string& name, const Vec& vec, std::vector<Expr> dims = {}) {
  must_be_size(vec.width, "width of " + name);
  if (dims.size() > 2) throw HdlError(name + " has more than two unpacked dimensions");
  for (const Expr& dim : dims) must_be_size(dim, "size of " + name);
  Type type;
  type.domain = dims.empty() ? Domain::bits : Domain::array;
  type.is_signed = vec.is_signed;
  type.width = vec.width;
  type.dims = std::move(dims);
  return type;
}

Type integer_type(bool constant) { return {Domain::integer, true, constant, std::nullopt, {}}; }

/// Loop variables used by the for statements of a body, in order of appearance.
void collect_loop_variables(const Body& body, std::vector<const Object*>& found) {
  for (const Stmt& statement : body) {
    const StmtNode& node = statement.node();
    if (node.kind == StmtNode::Kind::loop) {
      const Object* variable = node.exprs[0].node().object;
      if (std::ranges::find(found, variable) == found.end()) found.push_back(variable);
    }
    for (const auto& branch : node.branches) collect_loop_variables(branch.body, found);
  }
}

}  // namespace

// ---- FunctionBuilder

Object& FunctionBuilder::add(std::deque<Object>& list, ObjectKind kind, const std::string& name) {
  const auto same = [&](const Object& o) { return o.name == name; };
  if (name == info_.name || std::ranges::any_of(info_.inputs, same) ||
      std::ranges::any_of(info_.variables, same) || scope_.visible(name)) {
    throw HdlError(fmt::format("module {}: function {}: the name {} is taken",
                               scope_.module().name(), info_.name, name));
  }
  Object& object = list.emplace_back();
  object.kind = kind;
  object.name = identifier(name);
  object.is_reg = true;
  scope_.module_->declared_.insert(name);
  return object;
}

Expr FunctionBuilder::input(const std::string& name, const Vec& type) {
  Object& object = add(info_.inputs, ObjectKind::function_input, name);
  object.type = vector_type(name, type);
  return ref(object);
}

Expr FunctionBuilder::integer_input(const std::string& name) {
  Object& object = add(info_.inputs, ObjectKind::function_input, name);
  object.type = integer_type(false);
  return ref(object);
}

Expr FunctionBuilder::variable(const std::string& name, const Vec& type) {
  Object& object = add(info_.variables, ObjectKind::function_variable, name);
  object.type = vector_type(name, type);
  return ref(object);
}

Expr FunctionBuilder::integer(const std::string& name) {
  Object& object = add(info_.variables, ObjectKind::function_variable, name);
  object.type = integer_type(false);
  return ref(object);
}

Expr FunctionBuilder::result() const { return ref(info_.result); }

// ---- Scope

void Scope::must_be_open(const std::string& what) const {
  if (module_->finished()) {
    throw HdlError(fmt::format("module {} is finished: {} comes too late", module_->name(), what));
  }
}

bool Scope::visible(const std::string& name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->parent_) {
    if (std::ranges::find(scope->names_, name) != scope->names_.end()) return true;
  }
  return false;
}

void Scope::claim(const std::string& name) {
  must_be_open(name);
  try {
    identifier(name);
  } catch (const HdlError& error) {
    throw HdlError(fmt::format("module {}: {}", module_->name(), error.what()));
  }
  if (visible(name)) {
    throw HdlError(fmt::format("module {}: the name {} is declared twice", module_->name(), name));
  }
  names_.push_back(name);
  module_->declared_.insert(name);
}

Object& Scope::declare(ObjectKind kind, const std::string& name, std::string note) {
  claim(name);
  Object& object = module_->objects_.emplace_back();
  object.kind = kind;
  object.name = name;
  object.note = std::move(note);
  object.scope = this;
  return object;
}

void Scope::append(Item item, const std::string& what) {
  must_be_open(what);
  check_item(*this, item);
  items_.push_back(std::move(item));
}

void Scope::comment(std::string text) {
  must_be_open("a comment");
  items_.emplace_back(CommentItem{std::move(text)});
}

void Scope::blank() {
  must_be_open("an empty line");
  items_.emplace_back(BlankItem{});
}

Expr Scope::localparam(const std::string& name, const Expr& value, std::string note) {
  must_be_size(value, "value of localparam " + name);
  Object& object = declare(ObjectKind::localparam, name, std::move(note));
  object.type = integer_type(true);
  object.value = value;
  append(DeclarationItem{&object}, name);
  return ref(object);
}

Expr Scope::constant(const std::string& name, const Vec& type, const Expr& value,
                     std::string note) {
  Object& object = declare(ObjectKind::localparam, name, std::move(note));
  object.type = vector_type(name, type);
  object.type.constant = true;
  const Expr adapted = adapt(value, object.type, Spelling::decimal);
  // Integers are 32 bits to a linter: compute on the low bits, which are what is meant.
  object.value = adapted.type().is_integer() ? wrapped(adapted, type.width) : adapted;
  if (value.type().is_integer()) object.number = value;
  append(DeclarationItem{&object}, name);
  return ref(object);
}

Expr Scope::declare_signal(ObjectKind kind, const std::string& name, const Vec& type,
                           std::vector<Expr> dims, std::string note) {
  Object& object = declare(kind, name, std::move(note));
  object.type = vector_type(name, type, std::move(dims));
  object.is_reg = kind == ObjectKind::reg;
  append(DeclarationItem{&object}, name);
  return ref(object);
}

Expr Scope::wire(const std::string& name, const Vec& type, std::string note) {
  return declare_signal(ObjectKind::wire, name, type, {}, std::move(note));
}

Expr Scope::reg(const std::string& name, const Vec& type, std::string note) {
  return declare_signal(ObjectKind::reg, name, type, {}, std::move(note));
}

Expr Scope::wire_array(const std::string& name, const Vec& type, std::vector<Expr> dims,
                       std::string note) {
  if (dims.empty()) throw HdlError("array " + name + " has no dimension");
  return declare_signal(ObjectKind::wire, name, type, std::move(dims), std::move(note));
}

Expr Scope::reg_array(const std::string& name, const Vec& type, std::vector<Expr> dims,
                      Storage storage, std::string note) {
  if (dims.empty()) throw HdlError("array " + name + " has no dimension");
  Expr array = declare_signal(ObjectKind::reg, name, type, std::move(dims), std::move(note));
  module_->objects_.back().storage = storage;
  return array;
}

Expr Scope::let(const std::string& name, const Expr& value, std::string note) {
  if (!value.type().is_bits()) {
    throw HdlError(
        fmt::format("module {}: {} needs bits, not {}", module_->name(), name, to_verilog(value)));
  }
  Object& object = declare(ObjectKind::wire, name, std::move(note));
  object.type = vector_type(name, {width_of(value), value.type().is_signed});
  object.value = value;
  append(DeclarationItem{&object}, name);
  return ref(object);
}

void Scope::attribute(const Expr& signal, const std::string& name) {
  must_be_open("attribute " + name);
  const Object* object = signal.node().object;
  const auto it =
      std::ranges::find_if(module_->objects_, [&](const Object& o) { return &o == object; });
  if (it == module_->objects_.end() || it->is_port() || !it->is_signal()) {
    throw HdlError(fmt::format("module {}: an attribute needs a wire or reg, not {}",
                               module_->name(), to_verilog(signal)));
  }
  it->attributes.push_back(identifier(name));
}

void Scope::unused(const std::string& name, std::vector<Expr> signals, std::string note) {
  if (!is_unused_name(name)) throw HdlError("the name " + name + " must contain 'unused'");
  signals.insert(signals.begin(), bin(1, 0));
  let(name, all(cat(std::move(signals))), std::move(note));
}

void Scope::assign(const Expr& target, const Expr& value, std::string note) {
  append(AssignItem{target, adapt(value, target.type(), Spelling::decimal), std::move(note)},
         "assign " + to_verilog(target));
}

void Scope::always_ff(const Expr& clock, Body body, const std::string& name) {
  AlwaysItem item{clock, std::move(body), name, {}, false};
  collect_loop_variables(item.body, item.loop_variables);
  if (!name.empty()) claim(name);
  append(std::move(item), "always " + name);
}

void Scope::always_in_place(const Expr& clock, Body body, const std::string& name,
                            std::string why) {
  comment(std::move(why));
  AlwaysItem item{clock, std::move(body), name, {}, true};
  collect_loop_variables(item.body, item.loop_variables);
  if (!name.empty()) claim(name);
  append(std::move(item), "always " + name);
}

void Scope::always_comb(Body body, const std::string& name) {
  AlwaysItem item{std::nullopt, std::move(body), name, {}, false};
  collect_loop_variables(item.body, item.loop_variables);
  if (!name.empty()) claim(name);
  append(std::move(item), "always " + name);
}

Function Scope::add_function(const std::string& name, const std::optional<Vec>& result,
                             const std::function<Body(FunctionBuilder&)>& build) {
  claim(name);
  FunctionInfo& info = module_->functions_.emplace_back();
  info.name = name;
  info.result.kind = ObjectKind::function_result;
  info.result.name = name;
  info.result.is_reg = true;
  info.result.type = result ? vector_type(name, *result) : integer_type(false);
  FunctionBuilder builder(*this, info);
  info.body = build(builder);
  append(FunctionItem{&info}, name);
  return Function(info);
}

Function Scope::function(const std::string& name, const Vec& result,
                         const std::function<Body(FunctionBuilder&)>& build) {
  return add_function(name, result, build);
}

Function Scope::integer_function(const std::string& name,
                                 const std::function<Body(FunctionBuilder&)>& build) {
  return add_function(name, std::nullopt, build);
}

std::unique_ptr<Scope> Scope::child(const std::string& block, Guard guard) {
  claim(block);
  return std::unique_ptr<Scope>(new Scope(module_, this, block, std::move(guard)));
}

void Scope::generate_for(const std::string& genvar, const Expr& begin, const Expr& end,
                         const std::string& block, const BuildLoop& build) {
  must_be_size(begin, "begin of genvar " + genvar);
  must_be_size(end, "end of genvar " + genvar);
  // One genvar declaration serves every loop of the module that uses its name.
  if (!module_->genvars_.contains(genvar)) {
    Object& object = module_->declare(ObjectKind::genvar, genvar, "");
    object.type = integer_type(true);
    module_->genvars_[genvar] = &object;
  }
  Guard guard;
  guard.genvar = module_->genvars_[genvar];
  guard.begin = begin;
  guard.end = end;
  for (const Scope* scope = this; scope != nullptr; scope = scope->parent_) {
    if (scope->guard_.genvar == guard.genvar) {
      throw HdlError(
          fmt::format("module {}: genvar {} is already in use", module_->name(), genvar));
    }
  }
  GenerateItem item;
  item.scopes.push_back(child(block, guard));
  build(*item.scopes.front(), ref(*guard.genvar));
  append(std::move(item), block);
}

GenerateIf Scope::generate_if(const Expr& condition, const std::string& block, const Build& build) {
  append(GenerateItem{}, block);
  GenerateIf chain(*this, items_.size() - 1);
  chain.add(condition, block, build);
  return chain;
}

GenerateIf& GenerateIf::else_if(const Expr& condition, const std::string& block,
                                const Scope::Build& build) {
  add(condition, block, build);
  return *this;
}

void GenerateIf::otherwise(const std::string& block, const Scope::Build& build) {
  add(std::nullopt, block, build);
}

void GenerateIf::add(std::optional<Expr> condition, const std::string& block,
                     const Scope::Build& build) {
  if (condition && (!condition->type().is_bits() || !condition->type().constant)) {
    throw HdlError("the condition of a generate must be a constant comparison: " +
                   to_verilog(*condition));
  }
  if (condition) check_visible(scope_, *condition);
  Guard guard;
  const auto& branches = std::get<GenerateItem>(scope_.items_[item_]).scopes;
  for (const auto& branch : branches) {
    if (!branch->guard().condition) throw HdlError("a generate branch after otherwise");
    guard.earlier.push_back(*branch->guard().condition);
  }
  guard.condition = std::move(condition);
  auto scope = scope_.child(block, std::move(guard));
  build(*scope);
  std::get<GenerateItem>(scope_.items_[item_]).scopes.push_back(std::move(scope));
}

void Scope::instance(const std::string& name, const Module& module,
                     std::vector<Connection> parameters, std::vector<Connection> ports) {
  claim(name);
  for (Connection& connection : ports) {
    const Object* port = module.find_port(connection.name);
    if (port == nullptr || !port->type.width->type().constant) continue;
    // A plain number fits a port of fixed width; others have widths only the instance knows.
    if (port->type.width->node().op == Op::integer) {
      connection.value = adapt(connection.value, port->type, Spelling::sized);
    }
  }
  append(InstanceItem{name, &module, std::move(parameters), std::move(ports)}, name);
}

void Scope::require(const Expr& condition, const std::string& message_name) {
  if (!condition.type().is_bits() || !condition.type().constant) {
    throw HdlError("a requirement must be a constant comparison: " + to_verilog(condition));
  }
  append(RequireItem{negated(condition), identifier(message_name)}, message_name);
}

// ---- Module

Module::Module(const std::string& name, ModuleDoc doc)
    : Scope(this, nullptr, "", {}), name_(identifier(name)), doc_(std::move(doc)) {}

Module::~Module() = default;

Expr Module::parameter(const std::string& name, int default_value, std::string note) {
  Object& object = declare(ObjectKind::parameter, name, std::move(note));
  object.type = integer_type(true);
  object.value = Expr(default_value);
  parameters_.push_back(&object);
  return ref(object);
}

void Module::grows(Growth growth) {
  must_be_open("a law of growth");
  for (const std::string& name : {growth.parameter, growth.period}) {
    if (!name.empty() && find_parameter(name) == nullptr) {
      throw HdlError(name_ + ": growth with " + name + ", which is no parameter");
    }
  }
  const auto& samples = growth.samples;
  if (growth.degree < 1 || std::ssize(samples) != growth.degree + 1 || samples.front() < 1 ||
      std::ranges::adjacent_find(samples, std::greater_equal<>()) != samples.end()) {
    throw HdlError(name_ + ": growth of degree n with " + growth.parameter +
                   " needs n + 1 increasing samples");
  }
  growth_.push_back(std::move(growth));
}

Expr Module::declare_port(ObjectKind kind, bool is_reg, const std::string& name, const Vec& type,
                          std::string note) {
  check_visible(*this, type.width);
  visit(type.width, [&](const Expr& x) {
    // Localparams stand behind the ports, and tools may want declarations before uses.
    if (x.node().op == Op::ref && x.node().object->kind == ObjectKind::localparam) {
      throw HdlError(fmt::format(
          "module {}: port {}: its width uses the localparam {}, declared behind the ports; write "
          "it in parameters",
          name_, name, x.node().object->name));
    }
  });
  Object& object = declare(kind, name, std::move(note));
  object.type = vector_type(name, type);
  object.is_reg = is_reg;
  ports_.push_back(&object);
  return ref(object);
}

Expr Module::input(const std::string& name, const Vec& type, std::string note) {
  return declare_port(ObjectKind::input, false, name, type, std::move(note));
}

Expr Module::output(const std::string& name, const Vec& type, std::string note) {
  return declare_port(ObjectKind::output, false, name, type, std::move(note));
}

Expr Module::output_reg(const std::string& name, const Vec& type, std::string note) {
  return declare_port(ObjectKind::output, true, name, type, std::move(note));
}

void Module::port_group(std::string comment) {
  must_be_open("a port group");
  port_groups_[ports_.size()] = std::move(comment);
}

Expr Module::loop_variable(const std::string& name) {
  Object& object = declare(ObjectKind::loop_variable, name, "");
  object.type = integer_type(false);
  return ref(object);
}

void Module::finish() {
  must_be_open("finish()");
  check_module(*this, {}, UnusedSignals::rejected);
  check_structure(*this);
  finished_ = true;
}

void Module::check(const ParameterValues& values) const {
  check_module(*this, values, UnusedSignals::accepted);
}

const Object* Module::find_parameter(const std::string& name) const {
  const auto it = std::ranges::find(parameters_, name, &Object::name);
  return it == parameters_.end() ? nullptr : *it;
}

const Object* Module::find_port(const std::string& name) const {
  const auto it = std::ranges::find(ports_, name, &Object::name);
  return it == ports_.end() ? nullptr : *it;
}

std::int64_t Module::port_width(const Object& port, const ParameterValues& values) const {
  return Env(*this, values).width(ref(port));
}

const std::string* Module::group_before(std::size_t port) const {
  const auto it = port_groups_.find(port);
  return it == port_groups_.end() ? nullptr : &it->second;
}

}  // namespace weft::rtl::hdl
