// SPDX-License-Identifier: Apache-2.0
#include "workbench/synthesis_job.h"

#include <cstdint>
#include <utility>
#include <variant>

#include "rtl_gen/emit/emission.h"
#include "rtl_gen/hdl/hdl.h"
#include "verif/build_cache.h"

namespace weft::workbench {
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

synth::Hierarchy hierarchy_of(const rtl::Emission& emission) {
  const rtl::hdl::Design& design = *emission.design;
  synth::Hierarchy hierarchy;
  hierarchy.top = instance_of(rtl::hdl::instance_tree(*design.find(emission.top)));
  for (const rtl::hdl::Module& module : design.modules()) {
    hierarchy.modules[module.name()] = facts_of(module);
  }
  return hierarchy;
}

}  // namespace

SynthesisJob configuration_job(const arch::Config& config, const std::filesystem::path& directory,
                               synth::Request request) {
  request.output_directory =
      directory.empty() ? arch::name_of(config) + "_synth" : directory.string();
  const std::filesystem::path sources = request.output_directory / "rtl";
  const rtl::Emission emission = rtl::emit(config, {.clock_ns = request.clock_ns});
  rtl::write(emission, sources);
  for (const auto& name : emission.verilog) request.verilog.push_back(sources / name);
  request.top = emission.top;
  if (const auto* array = std::get_if<arch::TensorArray>(&config.design)) {
    request.macs = std::uint64_t{1} * array->rows * array->cols * array->macs_per_pe;
  }
  return {std::move(request), hierarchy_of(emission)};
}

std::filesystem::path synth_cache(const std::filesystem::path& cache) {
  return verif::BuildCache(cache).root() / "synth";
}

}  // namespace weft::workbench
