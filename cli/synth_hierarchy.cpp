// SPDX-License-Identifier: Apache-2.0
#include "cli/synth_hierarchy.h"

#include "rtl_gen/hdl/hdl.h"

namespace weft::cli {
namespace {

synth::Instance instance_of(const rtl::hdl::InstanceTree& tree) {
  synth::Instance instance{tree.name,  tree.first, tree.module->name(), tree.parameters, {},
                           tree.count, {}};
  for (const rtl::hdl::Object* const port : tree.module->ports()) {
    instance.ports.push_back({port->name, tree.module->port_width(*port, tree.parameters),
                              port->kind == rtl::hdl::ObjectKind::input});
  }
  for (const auto& child : tree.children) instance.children.push_back(instance_of(child));
  return instance;
}

synth::ModuleFacts facts_of(const rtl::hdl::Module& module) {
  synth::ModuleFacts facts;
  for (const rtl::hdl::Object* const parameter : module.parameters()) {
    facts.defaults[parameter->name] = parameter->value->node().value;
  }
  facts.interface = to_verilog(module, {}, {.interface_only = true});
  for (const rtl::hdl::Growth& growth : module.growth()) {
    facts.growth.push_back({growth.parameter, growth.samples, growth.period});
  }
  return facts;
}

}  // namespace

synth::Hierarchy hierarchy_of(const rtl::Emission& emission) {
  const rtl::hdl::Design& design = *emission.design;
  synth::Hierarchy hierarchy;
  hierarchy.top = instance_of(rtl::hdl::instance_tree(*design.find(emission.top)));
  for (const rtl::hdl::Module& module : design.modules()) {
    hierarchy.modules[module.name()] = facts_of(module);
  }
  return hierarchy;
}

}  // namespace weft::cli
