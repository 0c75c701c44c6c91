// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rtl_gen/hdl/eval.h"

namespace weft::rtl::hdl {
namespace {

/// The generate blocks around an instance: `row.col.` and `row[0].col[2].`.
struct Prefix {
  std::string blocks;
  std::string iterations;
};

/// Adds what is instantiated in `scope` to `children`.
void collect(const Scope& scope, const Prefix& prefix, Env& env,
             std::vector<InstanceTree>& children);

InstanceTree tree(const std::string& name, const std::string& first, const Module& module,
                  const ParameterValues& values) {
  InstanceTree result{name, {first}, &module, values, 1, {}};
  for (const Object* parameter : module.parameters()) {
    result.parameters.try_emplace(parameter->name, parameter->value->node().value);
  }
  Env env(module, values);
  collect(module, {}, env, result.children);
  return result;
}

void add_instance(const InstanceItem& item, const Prefix& prefix, Env& env,
                  std::vector<InstanceTree>& children) {
  ParameterValues values;
  for (const Object* parameter : item.module->parameters()) {
    values[parameter->name] = parameter->value->node().value;
  }
  for (const Connection& c : item.parameters) values[c.name] = env.require(c.value);
  const std::string name = prefix.blocks + item.name;
  const auto same = std::ranges::find_if(children, [&](const InstanceTree& known) {
    return known.name == name && known.module == item.module && known.parameters == values;
  });
  if (same != children.end()) {
    if (++same->count == 2) same->first.push_back(prefix.iterations + item.name);
  } else {
    children.push_back(tree(name, prefix.iterations + item.name, *item.module, values));
  }
}

void collect_generate(const Scope& scope, const Prefix& prefix, Env& env,
                      std::vector<InstanceTree>& children) {
  const Guard& guard = scope.guard();
  const std::string blocks = prefix.blocks + scope.block_name() + ".";
  if (guard.genvar == nullptr) {
    if (env.exists(guard)) {
      collect(scope, {blocks, prefix.iterations + scope.block_name() + "."}, env, children);
    }
    return;
  }
  const std::int64_t end = env.require(*guard.end);
  for (std::int64_t i = env.require(*guard.begin); i < end; ++i) {
    env.bind(*guard.genvar, i);
    collect(scope, {blocks, fmt::format("{}{}[{}].", prefix.iterations, scope.block_name(), i)},
            env, children);
  }
  env.unbind(*guard.genvar);
}

void collect(const Scope& scope, const Prefix& prefix, Env& env,
             std::vector<InstanceTree>& children) {
  for (const Item& item : scope.items()) {
    if (const auto* instance = std::get_if<InstanceItem>(&item)) {
      add_instance(*instance, prefix, env, children);
    } else if (const auto* generate = std::get_if<GenerateItem>(&item)) {
      for (const auto& inner : generate->scopes) collect_generate(*inner, prefix, env, children);
    }
  }
}

void add_in_order(const Module& module, std::set<const Module*>& seen,
                  std::vector<std::string>& names);

/// Files of the modules instantiated in `scope`, those that they instantiate first.
void add_instantiated(const Scope& scope, std::set<const Module*>& seen,
                      std::vector<std::string>& names) {
  for (const Item& item : scope.items()) {
    if (const auto* instance = std::get_if<InstanceItem>(&item)) {
      add_in_order(*instance->module, seen, names);
    } else if (const auto* generate = std::get_if<GenerateItem>(&item)) {
      for (const auto& inner : generate->scopes) add_instantiated(*inner, seen, names);
    }
  }
}

void add_in_order(const Module& module, std::set<const Module*>& seen,
                  std::vector<std::string>& names) {
  if (!seen.insert(&module).second) return;
  add_instantiated(module, seen, names);
  names.push_back(module.name() + ".v");
}

}  // namespace

Module& Design::add_module(const std::string& name, ModuleDoc doc) {
  if (find(name) != nullptr) throw HdlError("module " + name + " is declared twice");
  return modules_.emplace_back(name, std::move(doc));
}

const Module* Design::find(const std::string& name) const {
  const auto it = std::ranges::find_if(modules_, [&](const Module& m) { return m.name() == name; });
  return it == modules_.end() ? nullptr : &*it;
}

std::map<std::string, std::string> Design::render(const PrintOptions& options) const {
  std::map<std::string, std::string> files;
  for (const Module& module : modules_) {
    files[module.name() + ".v"] = to_verilog(module, provenance_, options);
  }
  return files;
}

std::vector<std::string> Design::file_order() const {
  std::vector<std::string> names;
  std::set<const Module*> seen;
  for (const Module& module : modules_) add_in_order(module, seen, names);
  return names;
}

InstanceTree instance_tree(const Module& top, const ParameterValues& values) {
  return tree(top.name(), top.name(), top, values);
}

}  // namespace weft::rtl::hdl
