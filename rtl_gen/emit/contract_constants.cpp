// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/emit/contract_constants.h"

#include <variant>

#include "arch/network/header.h"
#include "arch/network/link_frame.h"
#include "arch/network/link_timing.h"
#include "arch/network/switch_timing.h"
#include "arch/timing/array_timing.h"

namespace weft::rtl {
namespace {

using Json = nlohmann::ordered_json;

/// Constants of a timing contract, by name.
struct Constants {
  Json json = Json::object();

  void add(const char* name, int value, const char* formula, const char* meaning) {
    json[name] = {{"value", value}, {"formula", formula}, {"meaning", meaning}};
  }
};

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
  Constants constants;
  constants.add("HR", timing.row_hops, "floor((rows - 1) / pe_registers)",
                "hops down to the last row");
  constants.add("HC", timing.col_hops, "floor((cols - 1) / pe_registers)",
                "hops across to the last column");
  constants.add("S", timing.pipeline_stages, "multiplier_stages + adder_stages",
                "registers inside a PE");
  // With external skew the results leave the grid without waiting for the last column.
  if (array.skew == arch::Skew::internal) {
    constants.add("LATENCY", timing.latency, "HR + HC + S + 2",
                  array.output_stationary()
                      ? "from acceptance of a tile's last step to its first result vector"
                      : "from acceptance of a moving vector to its result vector");
  } else {
    constants.add(
        "LATENCY", timing.latency - timing.col_hops, "HR + S + 2",
        array.output_stationary()
            ? "from acceptance of a tile's last step to column 0 of its first result vector"
            : "from acceptance of a moving vector to column 0 of its result vector");
  }
  if (!array.output_stationary()) {
    constants.add("B", timing.load_beats, "ceil(rows / load_rows_per_cycle)",
                  "load beats of a stationary tile");
    constants.add(
        "G", timing.load_guard,
        "max over r in 0 .. rows - 1 of floor(r / pe_registers) - floor(r / load_rows_per_cycle)",
        "cycles that a load keeps behind the vectors ahead of it");
  }
  return constants.json;
}

Json constants(const arch::TensorArray& array) {
  return {
      {"formats", formats(array)}, {"latency_unit", "array cycles"}, {"latency", latency(array)}};
}

/// Where a field lies in a flit or a frame; nothing if it is absent.
void add_field(Json& fields, const char* name, int offset, int width) {
  if (width > 0) fields[name] = {{"offset", offset}, {"width", width}};
}

/// The fields of docs/switch.md, "Header".
Json header(const arch::Switch& device) {
  const arch::HeaderLayout layout(device);
  Json fields = Json::object();
  add_field(fields, "next", 0, layout.next_width);
  add_field(fields, "op", layout.op_offset, layout.op_width);
  add_field(fields, "route", layout.route_offset, layout.route_width);
  if (device.collectives()) add_field(fields, "mask", layout.route_offset, device.ports);
  return fields;
}

/// The constants of docs/switch.md, "Time".
Json latency(const arch::Switch& device) {
  const arch::SwitchTiming timing(device);
  Constants constants;
  constants.add("D_in", timing.input_stages, "by pipeline, 0 with lookahead_routing",
                "cycles from the input port to the queue, beyond the first");
  constants.add("D_out", timing.output_stages, "by pipeline",
                "cycles from departure to the output port, beyond the first");
  constants.add(
      "LATENCY", timing.latency,
      device.organisation == arch::Organisation::crossbar ? "1 + D_out" : "2 + D_in + D_out",
      "of a flit through an idle switch, from input to output port");
  if (device.flow_control == arch::FlowControl::ready_valid) {
    constants.add("OUTPUT_FIFO", timing.output_fifo_depth, "D_out + 2",
                  "flits that wait at an output for out_ready_i");
  } else {
    constants.add("CREDIT_ROUND_TRIP", timing.credit_round_trip,
                  "4 + D_in + D_out + 2 * link_latency",
                  "cycles from a departure until its credit can be used again, between two such "
                  "switches");
  }
  return constants.json;
}

Json constants(const arch::Switch& device) {
  return {{"header", header(device)}, {"latency_unit", "cycles"}, {"latency", latency(device)}};
}

/// The fields of docs/link.md, "Frames".
Json frame(const arch::Link& link) {
  const arch::FrameLayout layout(link);
  Json fields = Json::object();
  const auto add = [&](const char* name, const arch::FrameLayout::Field& field) {
    add_field(fields, name, field.offset, field.width);
  };
  add("crc", layout.crc);
  add("kind", layout.kind);
  add("request", layout.request);
  add("retried", layout.retried);
  add("acknowledge", layout.acknowledge);
  add("sequence", layout.sequence);
  add("credit", layout.credit);
  add("credit_vc", layout.credit_vc);
  add("vc", layout.vc);
  add("flit", layout.flit);
  return fields;
}

/// The constants of docs/link.md, "Time" and "Throughput"; L is channel_latency.
Json latency(const arch::Link& link) {
  const arch::LinkTiming timing(link);
  Constants constants;
  constants.add("PHITS", timing.phits, "ceil((crc_width + fields) / (lanes * lane_width))",
                "cycles that a frame takes on the wire");
  constants.add("LATENCY", timing.latency, "PHITS + L + 5",
                "of a flit through an idle link, from in to out");
  constants.add("R", timing.replay_round_trip, "ceil((2 * (PHITS + L) + 8 + PHITS) / PHITS)",
                "frames until a place in the replay buffer is free again, at most");
  constants.add("C", timing.credit_round_trip,
                "ceil((2 * (PHITS + L) + 9 + PHITS) / PHITS) + virtual_channels - 1",
                "frames until a credit can be used again, at most");
  return constants.json;
}

Json constants(const arch::Link& link) {
  return {{"frame", frame(link)}, {"latency_unit", "cycles"}, {"latency", latency(link)}};
}

}  // namespace

Json contract_constants(const arch::Config& config) {
  return std::visit([](const auto& design) { return constants(design); }, config.design);
}

}  // namespace weft::rtl
