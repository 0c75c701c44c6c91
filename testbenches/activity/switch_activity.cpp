// SPDX-License-Identifier: Apache-2.0
#include "testbenches/activity/switch_activity.h"

#include <fmt/format.h>

#include <bit>
#include <memory>

#include "base/error.h"
#include "testbenches/activity/trace_recorder.h"
#include "verif/network/traffic_run.h"
#include "verif/traffic/traffic.h"

namespace weft::verif {
namespace {

constexpr std::uint64_t reset_cycles = 2;

/// Flits that came out: bits of out_valid_o in the counted cycles. An output that waits for a ready
/// shows its flit for several cycles, so ready must be there, too.
class FlitCounter {
 public:
  FlitCounter(const arch::Switch& design, const DutDescription& dut)
      : ready_valid_(design.flow_control != arch::FlowControl::credit),
        inputs_(beat_layout(dut.inputs)),
        outputs_(beat_layout(dut.outputs)) {
    for (std::size_t i = 0; i < dut.inputs.size(); ++i)
      if (dut.inputs[i].port == "out_ready_i") ready_ = i;
    for (std::size_t i = 0; i < dut.outputs.size(); ++i)
      if (dut.outputs[i].port == "out_valid_o") valid_ = i;
  }

  [[nodiscard]] std::uint64_t count(const std::uint8_t* in, const std::uint8_t* out) const {
    std::uint64_t flits = 0;
    for (std::size_t byte = 0; byte < outputs_.fields[valid_].bytes; ++byte) {
      unsigned moving = out[outputs_.fields[valid_].offset + byte];
      if (ready_valid_) moving &= in[inputs_.fields[ready_].offset + byte];
      flits += static_cast<std::uint64_t>(std::popcount(moving));
    }
    return flits;
  }

 private:
  bool ready_valid_;
  BeatLayout inputs_;
  BeatLayout outputs_;
  std::size_t ready_ = 0;
  std::size_t valid_ = 0;
};

}  // namespace

Recording record_traffic(const arch::Switch& design, const SwitchRtl& rtl,
                         const TrafficSpec& traffic, const RecordingOptions& options) {
  const DutDescription dut = describe_switch(design, rtl);
  const auto packets = make_traffic(traffic, design.ports, options.seed);
  check_traffic(design, *packets);
  if (options.progress) options.progress(fmt::format("building {}", dut.top));
  RtlSwitch device(design, dut, build_dut(dut, options.build).library, options.seed);
  TraceRecorder recorder(dut);
  const FlitCounter counter(design, dut);

  Recording recording;
  const std::uint64_t lead = reset_cycles + options.lead_cycles;
  device.set_reset_length(reset_cycles);
  device.set_reset_noise(false);
  device.reset();
  recorder.record_reset(reset_cycles);
  device.observe([&](const std::uint8_t* in, const std::uint8_t* out) {
    if (recorder.cycles() >= lead + options.most_cycles) return;
    if (recorder.cycles() >= lead) recording.flits += counter.count(in, out);
    recorder.record(false, in, out);
  });
  if (options.progress) options.progress("recording");
  RunPhases phases;
  phases.warmup = options.lead_cycles;
  phases.measurement = options.most_cycles;
  phases.drain = 0;
  EndpointOptions endpoints;
  endpoints.interleave = false;
  // A router in the middle of its mesh has neighbours on all sides.
  arch::Position position;
  if (design.mesh()) position = {design.mesh_columns / 2, design.mesh_rows / 2};
  device.set_position(position.x, position.y);
  const RunResult result = run_traffic(device, design, *packets, phases, endpoints, position);
  if (!result.violation.empty())
    throw ToolError(
        fmt::format("{}: the RTL violates its contract: {}", design.name, result.violation));
  recording.trace = recorder.take();
  recording.trace.lead_cycles = lead;
  recording.workload = fmt::format("{} traffic, load {:g}", traffic.pattern, traffic.load);
  recording.workload_cycles = recording.trace.cycles - lead;
  return recording;
}

}  // namespace weft::verif
