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
  for (std::size_t i = 0; i < stream.payload.size(); ++i) {
    text += fmt::format("    weft_shim::put<{}>(m.{}, beat + {});\n", stream.payload[i].width,
                        stream.payload[i].port, layout.fields[i].offset);
  }
  return text + "  }\n};\n\n";
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
  for (std::size_t i = 0; i < stream.payload.size(); ++i) {
    text += fmt::format("    weft_shim::get(m.{}, beat + {});\n", stream.payload[i].port,
                        layout.fields[i].offset);
  }
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

}  // namespace

std::string write_shim(const DutDescription& dut) {
  std::string text =
      "#include \"Vdut.h\"\n"
      "#include \"stream_loop.h\"\n\n"
      "namespace {\n\n";
  for (std::size_t i = 0; i < dut.sources.size(); ++i) text += source_binding(dut.sources[i], i);
  for (std::size_t i = 0; i < dut.sinks.size(); ++i) text += sink_binding(dut.sinks[i], i);
  text += fmt::format(
      "struct Binding {{\n"
      "  using Model = Vdut;\n"
      "  using Sources = {};\n"
      "  using Sinks = {};\n"
      "  static void clock(Model& m, bool v) {{ m.{} = v; }}\n"
      "  static void reset_n(Model& m, bool v) {{ m.{} = v; }}\n"
      "  static bool advance(const Model&{}) {{ return {}; }}\n"
      "}};\n\n"
      "}}  // namespace\n\n"
      "extern \"C\" __attribute__((visibility(\"default\"))) const WeftDutEntryPoints* "
      "weft_dut_entry() {{\n"
      "  return &weft_shim::EntryPoints<Binding>::table;\n"
      "}}\n",
      tuple("SourceDriver", "Source", dut.sources.size()),
      tuple("SinkTaker", "Sink", dut.sinks.size()), dut.clock, dut.reset,
      dut.advance.empty() ? "" : " m",
      dut.advance.empty() ? "true" : fmt::format("m.{} != 0", dut.advance));
  return text;
}

}  // namespace weft::verif
