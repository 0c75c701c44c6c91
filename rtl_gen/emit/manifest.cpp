// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/emit/manifest.h"

#include <nlohmann/json.hpp>
#include <variant>

#include "arch/timing/array_timing.h"
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

Json format(const arch::IntFormat& format) {
  return {{"name", arch::to_string(format)},
          {"bits", format.bits},
          {"signed", format.is_signed},
          {"min", format.min()},
          {"max", format.max()}};
}

Json formats(const arch::TensorArray& array) {
  return {{"stationary", format(array.stationary_format)},
          {"moving", format(array.moving_format)},
          {"accumulator",
           {{"bits", array.accumulator_width},
            {"signed", array.accumulator_signed()},
            {"overflow", arch::to_string(array.overflow)}}}};
}

/// The constants of docs/tensor_array.md, "Time".
Json latency(const arch::TensorArray& array) {
  const arch::ArrayTiming timing(array);
  Json json = Json::object();
  const auto add = [&json](const char* name, int value, const char* formula, const char* meaning) {
    json[name] = {{"value", value}, {"formula", formula}, {"meaning", meaning}};
  };
  add("HR", timing.row_hops, "floor((rows - 1) / pe_registers)", "hops down to the last row");
  add("HC", timing.col_hops, "floor((cols - 1) / pe_registers)", "hops across to the last column");
  add("S", timing.pipeline_stages, "multiplier_stages + adder_stages", "registers inside a PE");
  // With external skew the results leave the grid without waiting for the last column.
  if (array.skew == arch::Skew::internal) {
    add("LATENCY", timing.latency, "HR + HC + S + 2",
        array.output_stationary()
            ? "from acceptance of a tile's last step to its first result vector"
            : "from acceptance of a moving vector to its result vector");
  } else {
    add("LATENCY", timing.latency - timing.col_hops, "HR + S + 2",
        array.output_stationary()
            ? "from acceptance of a tile's last step to column 0 of its first result vector"
            : "from acceptance of a moving vector to column 0 of its result vector");
  }
  if (!array.output_stationary()) {
    add("B", timing.load_beats, "ceil(rows / load_rows_per_cycle)",
        "load beats of a stationary tile");
    add("G", timing.load_guard,
        "max over r in 0 .. rows - 1 of floor(r / pe_registers) - floor(r / load_rows_per_cycle)",
        "cycles that a load keeps behind the vectors ahead of it");
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
  const auto& array = std::get<arch::TensorArray>(config.design);
  const Json json = {{"generator", "weft"},
                     {"version", version},
                     {"digest", arch::digest(config)},
                     {"configuration", configuration(config)},
                     {"top", array.name},
                     {"files", design.file_order()},
                     {"clock", "clk_i"},
                     {"reset", "rst_ni"},
                     {"formats", formats(array)},
                     {"latency_unit", "array cycles"},
                     {"latency", latency(array)},
                     {"modules", modules(design)}};
  return json.dump(2) + "\n";
}

}  // namespace weft::rtl
