// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/emit/emission.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/error.h"
#include "base/installation.h"
#include "rtl_gen/array/tensor_array.h"
#include "rtl_gen/emit/manifest.h"
#include "rtl_gen/emit/tool_files.h"
#include "rtl_gen/link/link.h"
#include "rtl_gen/switch/switch.h"

namespace weft::rtl {
namespace {

/// A top module called like something in the design is illegal within it, and hides or is hidden
/// below.
void require_distinct(const arch::Config& config, const hdl::Design& design) {
  const auto module_with = [&](const std::string& name) {
    return std::ranges::find_if(design.modules(),
                                [&](const hdl::Module& module) { return module.declares(name); });
  };
  const std::string& name = arch::name_of(config);
  const auto module = module_with(name);
  if (module == design.modules().end()) return;
  std::string free = "my_" + name;
  while (module_with(free) != design.modules().end()) free.insert(0, "my_");
  throw UserError(fmt::format(
      "{}{}name: '{}' is also the name of something in the Verilog ({}.v); legal: any other, such "
      "as '{}'",
      config.name_place, config.name_place.empty() ? "" : ": ", name, module->name(), free));
}

hdl::Design build(const arch::TensorArray& array, const hdl::Provenance& provenance) {
  return build_tensor_array(array, provenance);
}
hdl::Design build(const arch::Switch& device, const hdl::Provenance& provenance) {
  return build_switch(device, provenance);
}
hdl::Design build(const arch::Link& link, const hdl::Provenance& provenance) {
  return build_link(link, provenance);
}

/// What a design of this kind is, in a sentence.
std::string description_of(const std::string& kind) {
  const auto& kinds = arch::kinds();
  const auto found = std::ranges::find(kinds, kind, [](const arch::Kind* k) { return k->name; });
  return (*found)->doc;
}

}  // namespace

std::size_t Emission::size() const {
  std::size_t bytes = 0;
  for (const auto& [name, text] : files) bytes += text.size();
  return bytes;
}

Emission emit(const arch::Config& config, const EmitOptions& options) {
  const std::string version(base::version());
  const std::string& name = arch::name_of(config);
  const hdl::Provenance provenance{version, name, arch::digest(config)};
  Emission emission;
  emission.design = std::make_shared<const hdl::Design>(std::visit(
      [&](const auto& described) { return build(described, provenance); }, config.design));
  const hdl::Design& design = *emission.design;
  require_distinct(config, design);
  emission.top = name;
  emission.verilog = design.file_order();
  emission.files = design.render();
  emission.files["manifest.json"] = manifest(config, design, version);
  emission.files["weft.f"] = file_list(emission.verilog);
  emission.files["weft.core"] =
      fusesoc_core(emission.top, description_of(config.kind), version, emission.verilog);
  emission.files["weft.sdc"] = clock_constraint(emission.top, options.clock_ns);
  return emission;
}

}  // namespace weft::rtl
