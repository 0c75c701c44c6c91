// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/eval.h"
#include "rtl_gen/hdl/iteration.h"
#include "rtl_gen/hdl/printer.h"
#include "rtl_gen/hdl/usage.h"
#include "rtl_gen/hdl/width_check.h"

namespace weft::rtl::hdl {
namespace {

template <typename... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

using Kind = StmtNode::Kind;
using ExprVisitor = std::function<void(const Expr&)>;

// ---- walking

void visit(const Expr& expr, const ExprVisitor& f) {
  f(expr);
  for (const Expr& arg : expr.node().args) visit(arg, f);
  if (expr.node().op == Op::literal) visit(*expr.type().width, f);
}

void visit(const Body& body, const ExprVisitor& f) {
  for (const Stmt& statement : body) {
    for (const Expr& expr : statement.node().exprs) visit(expr, f);
    for (const auto& branch : statement.node().branches) {
      for (const Expr& guard : branch.guards) visit(guard, f);
      visit(branch.body, f);
    }
  }
}

void visit_declaration(const Object& object, const ExprVisitor& f) {
  if (object.type.width) visit(*object.type.width, f);
  for (const Expr& dim : object.type.dims) visit(dim, f);
  if (object.value) visit(*object.value, f);
  if (object.number) visit(*object.number, f);
}

/// Every expression of an item, not of the scopes below it.
void visit(const Item& item, const ExprVisitor& f) {
  std::visit(Overloaded{
                 [](const CommentItem&) {},
                 [](const BlankItem&) {},
                 [&](const DeclarationItem& i) { visit_declaration(*i.object, f); },
                 [&](const AssignItem& i) {
                   visit(i.target, f);
                   visit(i.value, f);
                 },
                 [&](const AlwaysItem& i) {
                   if (i.clock) visit(*i.clock, f);
                   visit(i.body, f);
                 },
                 [&](const GenerateItem& i) {
                   for (const auto& scope : i.scopes) {
                     const Guard& guard = scope->guard();
                     if (guard.begin) visit(*guard.begin, f);
                     if (guard.end) visit(*guard.end, f);
                     if (guard.condition) visit(*guard.condition, f);
                   }
                 },
                 [&](const InstanceItem& i) {
                   for (const Connection& c : i.parameters) visit(c.value, f);
                   for (const Connection& c : i.ports) visit(c.value, f);
                 },
                 [&](const FunctionItem& i) {
                   if (i.function->result.type.width) visit(*i.function->result.type.width, f);
                   for (const Object& object : i.function->inputs) visit_declaration(object, f);
                   for (const Object& object : i.function->variables) visit_declaration(object, f);
                   visit(i.function->body, f);
                 },
                 [&](const RequireItem& i) { visit(i.illegal, f); },
             },
             item);
}

/// Values begin .. end - 1, or the first two and the last when there are more than `limit`.
std::vector<std::int64_t> samples(std::int64_t begin, std::int64_t end, std::int64_t limit) {
  std::vector<std::int64_t> values;
  if (end - begin > limit) return {begin, begin + 1, end - 1};
  for (std::int64_t i = begin; i < end; ++i) values.push_back(i);
  return values;
}

constexpr std::int64_t limit_while_building = 3;
constexpr std::int64_t limit_of_whole_check = 8;

/// Calls f for the instances of a scope: for samples of its own range, with the genvar bound.
void for_each_iteration(const Scope& scope, Env& env, std::int64_t limit,
                        const std::function<void(bool sampled)>& f) {
  const Guard& guard = scope.guard();
  if (guard.genvar == nullptr) {
    if (env.exists(guard)) f(false);
    return;
  }
  const std::int64_t begin = env.require(*guard.begin);
  const std::int64_t end = env.require(*guard.end);
  for (const std::int64_t value : samples(begin, end, limit)) {
    env.bind(*guard.genvar, value);
    f(end - begin > limit);
  }
  env.unbind(*guard.genvar);
}

/// The same for all scopes around it too, outermost first.
void for_each_instance(const Scope* scope, Env& env, const std::function<void()>& f) {
  if (scope == nullptr) return f();
  for_each_instance(scope->parent(), env, [&] {
    for_each_iteration(*scope, env, limit_while_building, [&](bool) { f(); });
  });
}

std::string label(const Item& item) {
  return std::visit(Overloaded{
                        [](const CommentItem&) { return std::string("comment"); },
                        [](const BlankItem&) { return std::string("empty line"); },
                        [](const DeclarationItem& i) { return i.object->name; },
                        [](const AssignItem& i) { return "assign " + to_verilog(i.target); },
                        [](const AlwaysItem& i) {
                          return i.name.empty() ? std::string("always block")
                                                : "always block " + i.name;
                        },
                        [](const GenerateItem& i) {
                          return i.scopes.empty() ? std::string("generate")
                                                  : "generate " + i.scopes.front()->block_name();
                        },
                        [](const InstanceItem& i) { return "instance " + i.name; },
                        [](const FunctionItem& i) { return "function " + i.function->name; },
                        [](const RequireItem& i) { return "requirement " + i.name; },
                    },
                    item);
}

/// Runs a check of one item; what it throws gets module, item and the values in `env` (if any).
template <typename F>
void in_context(const Scope& scope, const Item& item, const Env* env, F check) {
  try {
    check();
  } catch (const HdlError& error) {
    const std::string values = env == nullptr ? "" : env->describe();
    throw HdlError(fmt::format("module {}: {}: {}{}", scope.module().name(), label(item),
                               error.what(), values.empty() ? "" : " (at " + values + ")"));
  }
}

// ---- what an item may say, whatever the parameters

/// Names that an item may use besides those of its scopes.
struct Locals {
  std::vector<const Object*> objects;
};

void check_name(const Object& object, const Scope& scope, const Locals& locals) {
  if (std::ranges::find(locals.objects, &object) != locals.objects.end()) return;
  if (object.kind == ObjectKind::loop_variable) {
    throw HdlError(object.name + " is used outside a for statement over it");
  }
  if (object.kind == ObjectKind::genvar) {
    for (const Scope* s = &scope; s != nullptr; s = s->parent()) {
      if (s->guard().genvar == &object) return;
    }
    throw HdlError("genvar " + object.name + " is used outside its loop");
  }
  for (const Scope* s = &scope; s != nullptr; s = s->parent()) {
    if (object.scope == s) return;
  }
  throw HdlError(object.name + " is not declared in this scope");
}

void check_reference(const Expr& expr, const Scope& scope, const Locals& locals) {
  const Node& node = expr.node();
  if (node.op == Op::ref) check_name(*node.object, scope, locals);
  if (node.op != Op::iteration) return;
  const Scope* const around = iteration_path(expr).front()->parent();
  for (const Scope* s = &scope; s != nullptr; s = s->parent()) {
    if (s == around) return;
  }
  throw HdlError(node.object->name + " cannot be reached from this scope");
}

void check_names(const Scope& scope, const Item& item, const Locals& locals) {
  visit(item, [&](const Expr& expr) { check_reference(expr, scope, locals); });
}

const Object& target_object(const Expr& target) {
  const Node& node = target.node();
  switch (node.op) {
    case Op::ref:
      return *node.object;
    case Op::select:
    case Op::range:
    case Op::part:
      return target_object(node.args[0]);
    default:
      throw HdlError("cannot be assigned: " + to_verilog(target));
  }
}

void for_each_target(const Expr& target, const std::function<void(const Object&)>& f) {
  if (target.node().op == Op::concat) {
    for (const Expr& part : target.node().args) for_each_target(part, f);
  } else {
    f(target_object(target));
  }
}

void check_continuous_target(const Expr& target) {
  for_each_target(target, [](const Object& object) {
    if (object.kind == ObjectKind::input)
      throw HdlError("input " + object.name + " is driven inside");
    if (!object.is_signal()) throw HdlError(object.name + " is no signal");
    if (object.is_reg)
      throw HdlError("reg " + object.name + " is driven as a wire; assign it in an always block");
    if (object.value) throw HdlError(object.name + " has its value already");
  });
}

void check_procedural_target(const Expr& target, bool in_function) {
  for_each_target(target, [&](const Object& object) {
    if (object.kind == ObjectKind::input)
      throw HdlError("input " + object.name + " is driven inside");
    if (!object.is_reg)
      throw HdlError(object.name + " is no reg: it cannot be assigned in an always block");
    if (in_function == object.is_signal() || object.kind == ObjectKind::function_input) {
      throw HdlError("a function assigns only its own variables, not " + object.name);
    }
  });
}

void check_statements(const Body& body, std::optional<Kind> assignment, bool in_function) {
  for (const Stmt& statement : body) {
    const StmtNode& node = statement.node();
    if (node.kind == Kind::blocking || node.kind == Kind::nonblocking) {
      if (assignment && node.kind != *assignment) {
        throw HdlError(fmt::format("a {} assignment to {}; here all are {}",
                                   node.kind == Kind::blocking ? "blocking" : "nonblocking",
                                   to_verilog(node.exprs[0]),
                                   assignment == Kind::blocking ? "blocking" : "nonblocking"));
      }
      check_procedural_target(node.exprs[0], in_function);
    }
    if (node.kind == Kind::selection &&
        (node.branches.empty() || !node.branches.back().guards.empty())) {
      throw HdlError(
          fmt::format("case ({}) says not what happens otherwise", to_verilog(node.exprs[0])));
    }
    for (const auto& branch : node.branches) check_statements(branch.body, assignment, in_function);
  }
}

using Objects = std::set<const Object*>;

/// Objects that a body assigns with the one kind of assignment.
void collect_targets(const Body& body, Kind kind, Objects& found) {
  for (const Stmt& statement : body) {
    const StmtNode& node = statement.node();
    if (node.kind == kind) {
      for_each_target(node.exprs[0], [&](const Object& object) { found.insert(&object); });
    }
    for (const auto& branch : node.branches) collect_targets(branch.body, kind, found);
  }
}

/// Objects that a body assigns on every path (all: on any). A part counts as the whole.
Objects assigned(const Body& body, bool on_any_path) {
  Objects result;
  for (const Stmt& statement : body) {
    const StmtNode& node = statement.node();
    if (node.kind == Kind::blocking) {
      for_each_target(node.exprs[0], [&](const Object& object) { result.insert(&object); });
      continue;
    }
    const bool every_path_is_here =
        node.kind == Kind::loop || (!node.branches.empty() && node.branches.back().guards.empty());
    if (node.branches.empty() || (!on_any_path && !every_path_is_here)) continue;
    Objects common = assigned(node.branches.front().body, on_any_path);
    for (const auto& branch : node.branches) {
      const Objects more = assigned(branch.body, on_any_path);
      if (on_any_path) {
        common.insert(more.begin(), more.end());
      } else {
        std::erase_if(common, [&](const Object* object) { return !more.contains(object); });
      }
    }
    result.insert(common.begin(), common.end());
  }
  return result;
}

void check_combinational(const AlwaysItem& item) {
  const Objects always = assigned(item.body, false);
  for (const Object* object : assigned(item.body, true)) {
    if (!always.contains(object)) {
      throw HdlError(object->name + " keeps its value on some path: a latch");
    }
  }
  bool reads_signal = false;
  visit(item.body, [&](const Expr& expr) {
    if (expr.node().op != Op::ref && expr.node().op != Op::iteration) return;
    const Object& object = *expr.node().object;
    if (object.is_signal() && !always.contains(&object)) reads_signal = true;
    if (object.type.is_array()) {
      throw HdlError("@* cannot watch array " + object.name + ": read it in an assign");
    }
  });
  if (!reads_signal) throw HdlError("@* reads no signal, so that it would never run");
}

void check_always(const AlwaysItem& item) {
  if (!item.loop_variables.empty() && item.name.empty()) {
    throw HdlError("a block with loop variables needs a name");
  }
  if (item.body.empty()) throw HdlError("an empty always block");
  if (item.clock) {
    const Node& clock = item.clock->node();
    if (clock.op != Op::ref || !clock.object->is_signal()) {
      throw HdlError("a clock must be a signal, not " + to_verilog(*item.clock));
    }
  }
  if (item.in_place) {
    check_statements(item.body, std::nullopt, false);
  } else {
    check_statements(item.body, item.clock ? Kind::nonblocking : Kind::blocking, false);
  }
  if (!item.clock) check_combinational(item);
}

void check_connections(const InstanceItem& item) {
  const Module& module = *item.module;
  if (!module.finished()) throw HdlError("module " + module.name() + " is not finished");
  std::set<std::string> seen;
  for (const Connection& c : item.parameters) {
    if (module.find_parameter(c.name) == nullptr) {
      throw HdlError(fmt::format("module {} has no parameter {}", module.name(), c.name));
    }
    if (!seen.insert(c.name).second) throw HdlError("parameter " + c.name + " is given twice");
    if (!c.value.type().is_integer() || !c.value.type().constant) {
      throw HdlError(fmt::format("parameter {} needs a constant integer, not {}", c.name,
                                 to_verilog(c.value)));
    }
  }
  seen.clear();
  for (const Connection& c : item.ports) {
    const Object* port = module.find_port(c.name);
    if (port == nullptr)
      throw HdlError(fmt::format("module {} has no port {}", module.name(), c.name));
    if (!seen.insert(c.name).second) throw HdlError("port " + c.name + " is connected twice");
    if (!c.value.type().is_bits()) {
      throw HdlError(
          fmt::format("port {} needs bits, not {} (use lit)", c.name, to_verilog(c.value)));
    }
    if (port->kind == ObjectKind::output) check_continuous_target(c.value);
  }
  for (const Object* port : module.ports()) {
    if (!seen.contains(port->name)) throw HdlError("port " + port->name + " is not connected");
  }
}

void check_meaning(const Scope& scope, const Item& item) {
  Locals locals;
  if (const auto* always = std::get_if<AlwaysItem>(&item)) {
    locals.objects = always->loop_variables;
  } else if (const auto* function = std::get_if<FunctionItem>(&item)) {
    const FunctionInfo& info = *function->function;
    locals.objects.push_back(&info.result);
    for (const Object& object : info.inputs) locals.objects.push_back(&object);
    for (const Object& object : info.variables) locals.objects.push_back(&object);
    if (info.inputs.empty()) throw HdlError("a Verilog-2005 function has at least one input");
    check_statements(info.body, Kind::blocking, true);
    visit(info.body, [](const Expr& expr) {
      // Simulators evaluate a call anew when its arguments change, and only then.
      const Object* const object = expr.node().object;
      if (object != nullptr && object->is_signal()) {
        throw HdlError("reads signal " + object->name + ", which is no argument");
      }
    });
    if (!assigned(info.body, false).contains(&info.result)) {
      throw HdlError("has no result on some path");
    }
  } else if (const auto* assign = std::get_if<AssignItem>(&item)) {
    check_continuous_target(assign->target);
  } else if (const auto* instance = std::get_if<InstanceItem>(&item)) {
    check_connections(*instance);
  }
  check_names(scope, item, locals);
  if (const auto* always = std::get_if<AlwaysItem>(&item)) check_always(*always);
}

// ---- widths and drivers at given parameters

/// Checks items in one environment; records drivers and readers when `usage` is given.
class ItemCheck {
 public:
  ItemCheck(Env& env, Usage* usage, std::int64_t limit) : env_(env), usage_(usage), limit_(limit) {}

  void operator()(const CommentItem&) {}
  void operator()(const BlankItem&) {}
  void operator()(const GenerateItem&) {}

  void operator()(const DeclarationItem& item) {
    const Object& object = *item.object;
    if (usage_ != nullptr && object.is_signal()) usage_->open(object);
    if (object.type.width) env_.width(ref(object));
    for (const Expr& dim : object.type.dims) {
      const std::int64_t size = env_.require(dim);
      if (size < 1) throw HdlError(fmt::format("an array of {} elements", size));
    }
    if (!object.value) return;
    if (object.kind == ObjectKind::localparam) return check_localparam(object);
    check_assignment(ref(object), *object.value, env_);
    if (usage_ == nullptr) return;
    usage_->read(*object.value);
    usage_->drive(ref(object), usage_->new_driver());
  }

  void operator()(const AssignItem& item) {
    check_assignment(item.target, item.value, env_);
    if (usage_ == nullptr) return;
    usage_->read(item.value);
    usage_->drive(item.target, usage_->new_driver());
  }

  void operator()(const AlwaysItem& item) {
    const int driver = usage_ == nullptr ? 0 : usage_->new_driver();
    if (item.clock) {
      if (env_.width(*item.clock) != 1) throw HdlError("the clock has more than one bit");
      if (usage_ != nullptr) usage_->read(*item.clock);
    }
    run(item.body, driver);
  }

  void operator()(const FunctionItem& item) {
    // Its members are no signals: there is nothing to record.
    Usage* const usage = std::exchange(usage_, nullptr);
    run(item.function->body, 0);
    usage_ = usage;
  }

  void operator()(const InstanceItem& item) {
    ParameterValues values;
    for (const Connection& c : item.parameters) values[c.name] = env_.require(c.value);
    Env inner(*item.module, values);
    for (const Connection& c : item.ports) {
      const Object& port = *item.module->find_port(c.name);
      const std::int64_t wanted = inner.width(ref(port));
      const std::int64_t found = checked_width(c.value, env_);
      if (wanted != found) {
        throw HdlError(fmt::format("port {} has {} bits, {} has {}", c.name, wanted,
                                   to_verilog(c.value), found));
      }
      if (usage_ == nullptr) continue;
      if (port.kind == ObjectKind::input) {
        usage_->read(c.value);
      } else {
        usage_->drive(c.value, usage_->new_driver());
      }
    }
  }

  void operator()(const RequireItem& item) {
    if (env_.require(item.illegal) != 0) throw HdlError("does not hold");
  }

 private:
  void check_localparam(const Object& object) {
    const Expr& value = *object.value;
    if (!object.type.is_bits()) {
      checked_width(value, env_);
      env_.require(value);
      return;
    }
    check_assignment(ref(object), value, env_);
    if (!object.number) return;
    const Expr number =
        lit({*object.type.width, object.type.is_signed}, env_.require(*object.number));
    checked_width(number, env_);
  }

  void run(const Body& body, int driver) {
    for (const Stmt& statement : body) run(statement.node(), driver);
  }

  void run(const StmtNode& node, int driver) {
    switch (node.kind) {
      case Kind::remark:
        return;
      case Kind::blocking:
      case Kind::nonblocking:
        check_assignment(node.exprs[0], node.exprs[1], env_);
        if (usage_ == nullptr) return;
        usage_->read(node.exprs[1]);
        usage_->drive(node.exprs[0], driver);
        return;
      case Kind::conditional:
        return run_if(node, driver);
      case Kind::selection:
        return run_case(node, driver);
      case Kind::loop:
        return run_loop(node, driver);
    }
  }

  void run_if(const StmtNode& node, int driver) {
    for (const auto& branch : node.branches) {
      if (branch.guards.empty()) return run(branch.body, driver);
      const Expr& condition = branch.guards.front();
      const std::int64_t width = checked_width(condition, env_);
      if (width != 1) {
        throw HdlError(fmt::format("a condition of {} bits: {}", width, to_verilog(condition)));
      }
      if (usage_ != nullptr) usage_->read(condition);
      const auto known = env_.value(condition);
      if (!known || *known != 0) run(branch.body, driver);
      if (known && *known != 0) return;
    }
  }

  void run_case(const StmtNode& node, int driver) {
    const Expr& subject = node.exprs[0];
    const std::int64_t width = checked_width(subject, env_);
    if (usage_ != nullptr) usage_->read(subject);
    for (const auto& branch : node.branches) {
      for (const Expr& label : branch.guards) {
        if (checked_width(label, env_) != width) {
          throw HdlError(fmt::format("case label {} for {} of {} bits", to_verilog(label),
                                     to_verilog(subject), width));
        }
      }
      run(branch.body, driver);
    }
  }

  void run_loop(const StmtNode& node, int driver) {
    const Object& variable = *node.exprs[0].node().object;
    const auto begin = env_.value(node.exprs[1]);
    const auto end = env_.value(node.exprs[2]);
    if (!begin || !end) return run(node.branches[0].body, driver);  // bounds of a running function
    const bool sampled = *end - *begin > limit_;
    if (sampled && usage_ != nullptr) usage_->enter_sampled();
    for (const std::int64_t i : samples(*begin, *end, limit_)) {
      env_.bind(variable, i);
      run(node.branches[0].body, driver);
    }
    env_.unbind(variable);
    if (sampled && usage_ != nullptr) usage_->leave_sampled();
  }

  Env& env_;
  Usage* usage_;
  std::int64_t limit_;
};

void visit_scope(const Scope& scope, const std::function<void(const Item&)>& f) {
  for (const Item& item : scope.items()) {
    f(item);
    if (const auto* generate = std::get_if<GenerateItem>(&item)) {
      for (const auto& inner : generate->scopes) visit_scope(*inner, f);
    }
  }
}

Objects read_in_other_iterations(const Module& module) {
  Objects found;
  visit_scope(module, [&](const Item& item) {
    visit(item, [&](const Expr& expr) {
      if (expr.node().op == Op::iteration) found.insert(expr.node().object);
    });
  });
  return found;
}

// ---- a whole module

/// Checks a module and those below it at given parameters, each combination once.
class ModuleCheck {
 public:
  explicit ModuleCheck(UnusedSignals unused) : unused_(unused) {}

  void operator()(const Module& module, const ParameterValues& values) {
    if (!done_.insert({&module, values}).second) return;
    Env env(module, values);
    Usage usage(env, read_in_other_iterations(module));
    scope(module, env, usage);
    close(module, module.ports(), env, usage);
  }

 private:
  template <typename F>
  static void guarded(const Scope& scope, const Env& env, F check) {
    try {
      check();
    } catch (const HdlError& error) {
      const std::string values = env.describe();
      throw HdlError(fmt::format("module {}: {}{}", scope.module().name(), error.what(),
                                 values.empty() ? "" : " (at " + values + ")"));
    }
  }

  void scope(const Scope& scope, Env& env, Usage& usage) {
    for (const Item& item : scope.items()) {
      if (const auto* generate = std::get_if<GenerateItem>(&item)) {
        for (const auto& inner : generate->scopes) iterations(*inner, env, usage);
        continue;
      }
      in_context(scope, item, &env, [&] {
        ItemCheck check(env, &usage, limit_of_whole_check);
        std::visit(check, item);
      });
      if (const auto* instance = std::get_if<InstanceItem>(&item)) {
        ParameterValues values;
        for (const Connection& c : instance->parameters) values[c.name] = env.require(c.value);
        (*this)(*instance->module, values);
      }
    }
    std::vector<const Object*> signals;
    for (const Item& item : scope.items()) {
      const auto* declaration = std::get_if<DeclarationItem>(&item);
      if (declaration != nullptr && declaration->object->is_signal())
        signals.push_back(declaration->object);
    }
    close(scope, signals, env, usage);
  }

  void iterations(const Scope& inner, Env& env, Usage& usage) {
    for_each_iteration(inner, env, limit_of_whole_check, [&](bool sampled) {
      if (sampled) usage.enter_sampled();
      scope(inner, env, usage);
      if (sampled) usage.leave_sampled();
    });
  }

  /// The scope of these signals ends: all that can be known about them is.
  void close(const Scope& scope, const std::vector<const Object*>& signals, const Env& env,
             Usage& usage) const {
    guarded(scope, env, [&] {
      for (const Object* object : signals) usage.check_driven(*object);
      for (const Object* object : signals) {
        if (unused_ == UnusedSignals::rejected) usage.check_used(*object);
        usage.forget(*object);
      }
    });
  }

  UnusedSignals unused_;
  std::set<std::pair<const Module*, ParameterValues>> done_;
};

/// What is assigned blocking in a clocked block is an array that no other item reads, else the
/// order of events decides what they read.
void check_in_place(const AlwaysItem& item, const Module& module) {
  Objects in_place;
  Objects registered;
  collect_targets(item.body, Kind::blocking, in_place);
  collect_targets(item.body, Kind::nonblocking, registered);
  for (const Object* object : in_place) {
    if (registered.contains(object)) throw HdlError(object->name + " is assigned in both ways");
    if (!object->type.is_array())
      throw HdlError(object->name + " is no array: register it with <<=");
  }
  visit_scope(module, [&](const Item& other) {
    if (std::get_if<AlwaysItem>(&other) == &item || std::holds_alternative<DeclarationItem>(other))
      return;
    visit(other, [&](const Expr& expr) {
      if (expr.node().op == Op::ref && in_place.contains(expr.node().object)) {
        throw HdlError(expr.node().object->name +
                       " is private to a block that updates it in place");
      }
    });
  });
}

}  // namespace

bool is_unused_name(std::string_view name) { return name.find("unused") != std::string_view::npos; }

void check_visible(const Scope& scope, const Expr& expr) {
  visit(expr, [&](const Expr& x) {
    try {
      check_reference(x, scope, {});
    } catch (const HdlError& error) {
      throw HdlError(
          fmt::format("module {}: {}: {}", scope.module().name(), to_verilog(expr), error.what()));
    }
  });
}

void check_item(const Scope& scope, const Item& item) {
  in_context(scope, item, nullptr, [&] { check_meaning(scope, item); });
  Env env(scope.module());
  for_each_instance(&scope, env, [&] {
    in_context(scope, item, &env, [&] {
      ItemCheck check(env, nullptr, limit_while_building);
      std::visit(check, item);
    });
  });
}

void check_structure(const Module& module) {
  std::set<const void*> used;
  const ExprVisitor note_use = [&](const Expr& expr) {
    if (expr.node().op == Op::ref || expr.node().op == Op::iteration)
      used.insert(expr.node().object);
    if (expr.node().op == Op::call) used.insert(expr.node().function);
  };
  for (const Object* port : module.ports()) visit_declaration(*port, note_use);
  visit_scope(module, [&](const Item& item) { visit(item, note_use); });
  const auto must_be_used = [&](const void* thing, const std::string& name) {
    if (!used.contains(thing))
      throw HdlError(fmt::format("module {}: {} is not used", module.name(), name));
  };
  for (const Object* parameter : module.parameters())
    must_be_used(parameter, "parameter " + parameter->name);
  visit_scope(module, [&](const Item& item) {
    if (const auto* declaration = std::get_if<DeclarationItem>(&item)) {
      const Object& object = *declaration->object;
      if (object.kind == ObjectKind::localparam) must_be_used(&object, "localparam " + object.name);
    } else if (const auto* always = std::get_if<AlwaysItem>(&item);
               always != nullptr && always->in_place) {
      in_context(module, item, nullptr, [&] { check_in_place(*always, module); });
    } else if (const auto* function = std::get_if<FunctionItem>(&item)) {
      must_be_used(function->function, "function " + function->function->name);
    }
  });
}

void check_module(const Module& module, const ParameterValues& values, UnusedSignals unused) {
  ModuleCheck check(unused);
  check(module, values);
}

}  // namespace weft::rtl::hdl
