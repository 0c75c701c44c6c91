// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/emit/manifest.h"

#include <nlohmann/json.hpp>
#include <variant>

#include "rtl_gen/emit/contract_constants.h"
#include "rtl_gen/hdl/eval.h"
#include "rtl_gen/hdl/printer.h"

namespace weft::rtl {
namespace {

using Json = nlohmann::ordered_json;

Json configuration(const arch::Config& config) {
  const arch::Values values = arch::values_of(config);
  Json json = Json::object();
  for (const arch::Kind* kind : arch::kinds()) {
    if (kind->name != config.kind) continue;
    for (const arch::Parameter& parameter : kind->parameters) {
      std::visit([&](const auto& value) { json[parameter.name] = value; },
                 values.at(parameter.name));
    }
  }
  return json;
}

Json parameters(const hdl::Module& module) {
  hdl::Env defaults(module);
  Json json = Json::array();
  for (const hdl::Object* parameter : module.parameters()) {
    json.push_back({{"name", parameter->name},
                    {"default", defaults.require(*parameter->value)},
                    {"meaning", parameter->note}});
  }
  return json;
}

Json ports(const hdl::Module& module) {
  Json json = Json::array();
  for (const hdl::Object* port : module.ports()) {
    json.push_back({{"name", port->name},
                    {"direction", port->kind == hdl::ObjectKind::input ? "input" : "output"},
                    {"width", module.port_width(*port)},
                    {"width_expression", hdl::to_verilog(*port->type.width)},
                    {"meaning", port->note}});
  }
  return json;
}

Json modules(const hdl::Design& design) {
  Json json = Json::array();
  for (const hdl::Module& module : design.modules()) {
    json.push_back({{"name", module.name()},
                    {"file", module.name() + ".v"},
                    {"summary", module.doc().summary},
                    {"latency", module.doc().latency},
                    {"parameters", parameters(module)},
                    {"ports", ports(module)}});
  }
  return json;
}

}  // namespace

std::string manifest(const arch::Config& config, const hdl::Design& design,
                     const std::string& version) {
  Json json = {{"generator", "weft"},
               {"version", version},
               {"digest", arch::digest(config)},
               {"configuration", configuration(config)},
               {"top", arch::name_of(config)},
               {"files", design.file_order()},
               {"clock", "clk_i"},
               {"reset", "rst_ni"}};
  json.update(contract_constants(config));
  json["modules"] = modules(design);
  return json.dump(2) + "\n";
}

}  // namespace weft::rtl
