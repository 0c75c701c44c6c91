// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/item_meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/iteration.h"
#include "rtl_gen/hdl/printer.h"
#include "rtl_gen/hdl/walk.h"

namespace weft::rtl::hdl {
namespace {

using Kind = StmtNode::Kind;

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
                                   *assignment == Kind::blocking ? "blocking" : "nonblocking"));
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
  std::optional<Kind> assignment = item.clock ? Kind::nonblocking : Kind::blocking;
  if (item.in_place) assignment.reset();
  check_statements(item.body, assignment, false);
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

}  // namespace

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

void check_in_place(const AlwaysItem& item, const Module& module) {
  Objects in_place;
  Objects registered;
  collect_targets(item.body, Kind::blocking, in_place);
  collect_targets(item.body, Kind::nonblocking, registered);
  for (const Object* object : in_place) {
    if (registered.contains(object)) throw HdlError(object->name + " is assigned in both ways");
    if (!object->type.is_array()) {
      throw HdlError(object->name + " is no array: register it with <<=");
    }
  }
  visit_scope(module, [&](const Item& other) {
    if (std::get_if<AlwaysItem>(&other) == &item) return;
    if (std::holds_alternative<DeclarationItem>(other)) return;
    visit(other, [&](const Expr& expr) {
      if (expr.node().op == Op::ref && in_place.contains(expr.node().object)) {
        throw HdlError(expr.node().object->name +
                       " is private to the block that updates it in place");
      }
    });
  });
}

}  // namespace weft::rtl::hdl
