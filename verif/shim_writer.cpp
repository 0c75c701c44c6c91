// SPDX-License-Identifier: Apache-2.0
#include "verif/shim_writer.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

namespace weft::verif {
namespace {

struct LaneRun {
  std::size_t bit;
  std::size_t bits;
  int delay;
};

/// Appends the lanes of a port that starts at `bit` of the packed beat; neighbours with the same
/// delay become one run.
void append_lanes(std::vector<LaneRun>& runs, std::size_t bit, int width, std::vector<int> delays) {
  if (delays.empty()) delays = {0};
  const std::size_t lane_bits = static_cast<std::size_t>(width) / delays.size();
  for (const int delay : delays) {
    if (!runs.empty() && runs.back().delay == delay && runs.back().bit + runs.back().bits == bit) {
      runs.back().bits += lane_bits;
    } else {
      runs.push_back({bit, lane_bits, delay});
    }
    bit += lane_bits;
  }
}

std::string lane_table(const std::vector<LaneRun>& runs) {
  std::string text = "  static constexpr weft_shim::LaneRun lanes[] = {";
  for (const LaneRun& run : runs) {
    text += fmt::format("{{{}, {}, {}}}, ", run.bit, run.bits, run.delay);
  }
  return text + "};\n";
}

std::vector<LaneRun> payload_lanes(const StreamPorts& stream, const BeatLayout& layout) {
  std::vector<LaneRun> runs;
  for (std::size_t i = 0; i < stream.payload.size(); ++i) {
    append_lanes(runs, 8 * layout.fields[i].offset, stream.payload[i].width,
                 stream.payload[i].lane_delays);
  }
  return runs;
}

/// The statements that move ports from or to a packed beat.
std::string put_ports(const std::vector<PayloadPort>& ports) {
  const BeatLayout layout = beat_layout(ports);
  std::string text;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    text += fmt::format("    weft_shim::put<{}>(m.{}, beat + {});\n", ports[i].width, ports[i].port,
                        layout.fields[i].offset);
  }
  return text;
}

std::string get_ports(const std::vector<PayloadPort>& ports) {
  const BeatLayout layout = beat_layout(ports);
  std::string text;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    text += fmt::format("    weft_shim::get(m.{}, beat + {});\n", ports[i].port,
                        layout.fields[i].offset);
  }
  return text;
}

std::string source_binding(const StreamPorts& stream, std::size_t index) {
  const BeatLayout layout = beat_layout(stream);
  std::string text = fmt::format(
      "struct Source{} {{\n"
      "  using Model = Vdut;\n"
      "  static constexpr std::size_t stride = {};\n"
      "  static constexpr std::size_t depth = {};\n",
      index, layout.stride, lane_groups(stream) - 1);
  text += lane_table(payload_lanes(stream, layout));
  text += fmt::format("  static void valid(Model& m, bool v) {{ m.{} = v; }}\n", stream.valid);
  text +=
      fmt::format("  static bool ready(const Model& m) {{ return m.{} != 0; }}\n", stream.ready);
  text += "  static void payload(Model& m, const std::uint8_t* beat) {\n";
  return text + put_ports(stream.payload) + "  }\n};\n\n";
}

std::string sink_binding(const StreamPorts& stream, std::size_t index) {
  const BeatLayout layout = beat_layout(stream);
  const std::size_t valid_bits = stream.valid_delays.size();
  std::vector<LaneRun> lanes = payload_lanes(stream, layout);
  if (valid_bits > 0) {
    append_lanes(lanes, 8 * layout.stride, static_cast<int>(valid_bits), stream.valid_delays);
  }
  std::string text = fmt::format(
      "struct Sink{} {{\n"
      "  using Model = Vdut;\n"
      "  static constexpr std::size_t stride = {};\n"
      "  static constexpr std::size_t depth = {};\n"
      "  static constexpr bool skewed = {};\n"
      "  static constexpr std::size_t valid_bits = {};\n"
      "  static constexpr std::size_t packed = stride + (valid_bits + 31) / 32 * 4;\n",
      index, layout.stride, lane_groups(stream) - 1, valid_bits > 0, valid_bits);
  text += lane_table(lanes);
  text += fmt::format("  static bool valid(const Model& m) {{ return weft_shim::any(m.{}); }}\n",
                      stream.valid);
  text += fmt::format("  static void ready(Model& m, bool v) {{ m.{} = v; }}\n", stream.ready);
  text += "  static void payload(const Model& m, std::uint8_t* beat) {\n";
  text += get_ports(stream.payload);
  if (valid_bits > 0) {
    text += fmt::format("    weft_shim::get(m.{}, beat + stride);\n", stream.valid);
  }
  return text + "  }\n};\n\n";
}

std::string tuple(std::string_view driver, std::string_view binding, std::size_t count) {
  std::string text = "std::tuple<";
  for (std::size_t i = 0; i < count; ++i) {
    text += fmt::format("{}weft_shim::{}<{}{}>", i > 0 ? ", " : "", driver, binding, i);
  }
  return text + ">";
}

/// The members of a binding that all kinds of designs have.
std::string common_binding(const DutDescription& dut) {
  return fmt::format(
      "  using Model = Vdut;\n"
      "  static void clock(Model& m, bool v) {{ m.{} = v; }}\n"
      "  static void reset_n(Model& m, bool v) {{ m.{} = v; }}\n",
      dut.clock, dut.reset);
}

std::string stream_shim(const DutDescription& dut) {
  std::string text;
  for (std::size_t i = 0; i < dut.sources.size(); ++i) text += source_binding(dut.sources[i], i);
  for (std::size_t i = 0; i < dut.sinks.size(); ++i) text += sink_binding(dut.sinks[i], i);
  text += "struct Binding {\n" + common_binding(dut);
  text += fmt::format(
      "  using Sources = {};\n"
      "  using Sinks = {};\n"
      "  static bool advance(const Model&{}) {{ return {}; }}\n"
      "}};\n",
      tuple("SourceDriver", "Source", dut.sources.size()),
      tuple("SinkTaker", "Sink", dut.sinks.size()), dut.advance.empty() ? "" : " m",
      dut.advance.empty() ? "true" : fmt::format("m.{} != 0", dut.advance));
  return text;
}

std::string pin_shim(const DutDescription& dut) {
  std::string text = "struct Binding {\n" + common_binding(dut);
  text += fmt::format(
      "  static constexpr std::uint32_t input_bytes = {};\n"
      "  static constexpr std::uint32_t output_bytes = {};\n",
      beat_layout(dut.inputs).stride, beat_layout(dut.outputs).stride);
  text += "  static void inputs(Model& m, const std::uint8_t* beat) {\n" + put_ports(dut.inputs);
  text += "  }\n  static void outputs(const Model& m, std::uint8_t* beat) {\n";
  return text + get_ports(dut.outputs) + "  }\n};\n";
}

}  // namespace

std::string write_shim(const DutDescription& dut) {
  const bool pins = !dut.inputs.empty() || !dut.outputs.empty();
  return fmt::format(
      "#include \"Vdut.h\"\n"
      "#include \"{}\"\n\n"
      "namespace {{\n\n"
      "{}\n"
      "}}  // namespace\n\n"
      "extern \"C\" __attribute__((visibility(\"default\"))) const WeftDutEntryPoints* "
      "weft_dut_entry() {{\n"
      "  return &weft_shim::{}<Binding>::table;\n"
      "}}\n",
      pins ? "pin_cycle.h" : "stream_loop.h", pins ? pin_shim(dut) : stream_shim(dut),
      pins ? "PinEntryPoints" : "StreamEntryPoints");
}

}  // namespace weft::verif
