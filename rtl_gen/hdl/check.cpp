// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/check.h"

#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/eval.h"
#include "rtl_gen/hdl/item_check.h"
#include "rtl_gen/hdl/item_meaning.h"
#include "rtl_gen/hdl/printer.h"
#include "rtl_gen/hdl/usage.h"
#include "rtl_gen/hdl/walk.h"

namespace weft::rtl::hdl {
namespace {

constexpr std::int64_t limit_while_building = 3;
constexpr std::int64_t limit_of_whole_check = 16;

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

std::set<const Object*> read_in_other_iterations(const Module& module) {
  std::set<const Object*> found;
  visit_scope(module, [&](const Item& item) {
    visit(item, [&](const Expr& expr) {
      if (expr.node().op == Op::iteration) found.insert(expr.node().object);
    });
  });
  return found;
}

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
      in_context(scope, item, &env,
                 [&] { check_item_sizes(item, env, &usage, limit_of_whole_check); });
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
    in_context(scope, item, &env,
               [&] { check_item_sizes(item, env, nullptr, limit_while_building); });
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
