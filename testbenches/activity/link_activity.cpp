// SPDX-License-Identifier: Apache-2.0
#include "testbenches/activity/link_activity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "systemc_models/link_endpoint.h"
#include "testbenches/activity/trace_recorder.h"
#include "testbenches/link/rtl_endpoint.h"
#include "verif/random.h"

namespace weft::verif {
namespace {

using Words = std::vector<std::uint64_t>;

/// One end, what is on the wire to it, and the user who offers flits to it.
struct End {
  End(const arch::Link& link, arch::LinkSimulation& simulation)
      : device(&simulation),
        inputs(link),
        wire(static_cast<std::size_t>(std::max(1, link.channel_latency)), inputs.phit),
        under_way(static_cast<std::size_t>(link.virtual_channels)) {
    inputs.out_ready = (std::uint32_t{1} << link.virtual_channels) - 1;
  }

  arch::LinkSimulation* device;
  arch::LinkInputs inputs;
  const arch::LinkOutputs* outputs = nullptr;
  std::deque<Words> wire;
  std::vector<std::deque<Words>> under_way;  ///< flits that it has accepted, by VC
};

class Experiment {
 public:
  Experiment(const arch::Link& link, arch::LinkSimulation& near, arch::LinkSimulation& far,
             double load, std::uint64_t seed)
      : link_(link),
        ends_{End(link, near), End(link, far)},
        load_(static_cast<std::uint64_t>(std::llround(load * scale))),
        random_(seed) {
    for (End& end : ends_) end.device->reset();
  }

  /// One clock cycle; returns the flits that the near end sent or received in it.
  int cycle() {
    for (End& end : ends_) {
      if (!end.inputs.valid && random_.below(scale) < load_) offer(end);
      end.inputs.phit = end.wire.front();
      end.wire.pop_front();
      end.outputs = &end.device->cycle(end.inputs);
    }
    const int flits = accept(ends_[0]) + deliver(ends_[0], ends_[1]);
    accept(ends_[1]);
    deliver(ends_[1], ends_[0]);
    for (const std::size_t e : {0U, 1U}) ends_[1 - e].wire.push_back(ends_[e].outputs->phit);
    return flits;
  }
  [[nodiscard]] bool up() const { return ends_[0].outputs->up && ends_[1].outputs->up; }

 private:
  static constexpr std::uint64_t scale = 1'000'000;

  void offer(End& end) {
    end.inputs.valid = true;
    end.inputs.vc =
        static_cast<int>(random_.below(static_cast<std::uint64_t>(link_.virtual_channels)));
    for (std::size_t word = 0; word < end.inputs.flit.size(); ++word) {
      end.inputs.flit[word] = random_.bits();
      const int left = link_.flit_width - 64 * static_cast<int>(word);
      if (left < 64) end.inputs.flit[word] &= (std::uint64_t{1} << left) - 1;
    }
  }

  static int accept(End& end) {
    if (!end.inputs.valid || (end.outputs->in_ready >> end.inputs.vc & 1U) == 0) return 0;
    end.inputs.valid = false;
    end.under_way[static_cast<std::size_t>(end.inputs.vc)].push_back(end.inputs.flit);
    return 1;
  }

  /// Flits that came out of `to`, sent by `from`.
  int deliver(const End& to, End& from) const {
    int flits = 0;
    const auto words = static_cast<std::ptrdiff_t>(from.inputs.flit.size());
    for (std::size_t vc = 0; vc < from.under_way.size(); ++vc) {
      if ((to.outputs->out_valid >> vc & 1U) == 0) continue;
      auto& expected = from.under_way[vc];
      const auto flit = to.outputs->out_flit.begin() + static_cast<std::ptrdiff_t>(vc) * words;
      if (expected.empty() || !std::equal(flit, flit + words, expected.front().begin()))
        throw ToolError(fmt::format(
            "{}: the RTL loses, changes or swaps flits; weft cosim says more", link_.name));
      expected.pop_front();
      ++flits;
    }
    return flits;
  }

  arch::Link link_;
  std::array<End, 2> ends_;
  std::uint64_t load_;  ///< of `scale`
  Random random_;
};

}  // namespace

Recording record_link(const arch::Link& link, const LinkRtl& rtl, double load,
                      const RecordingOptions& options) {
  const DutDescription dut = describe(link, rtl);
  if (options.progress) options.progress(fmt::format("building {}", dut.top));
  RtlEndpoint near(link, build_dut(dut, options.build).library, dut,
                   static_cast<std::int32_t>(options.seed));
  models::LinkEndpoint far(link);
  Experiment experiment(link, near, far, load, options.seed);
  TraceRecorder recorder(dut);
  recorder.record_reset(1);
  near.observe(
      [&](const std::uint8_t* in, const std::uint8_t* out) { recorder.record(false, in, out); });
  if (options.progress) options.progress("recording");
  std::uint64_t flits = 0;
  for (std::uint64_t cycle = 0; cycle < options.lead_cycles + options.most_cycles; ++cycle) {
    if (cycle % 4096 == 0) base::check_interrupt();
    const int moved = experiment.cycle();
    if (cycle < options.lead_cycles) continue;
    if (cycle == options.lead_cycles && !experiment.up())
      throw ToolError(fmt::format("{}: the link is not up after {} cycles", link.name, cycle));
    flits += static_cast<std::uint64_t>(moved);
  }
  Recording recording;
  recording.trace = recorder.take();
  recording.trace.lead_cycles += options.lead_cycles;
  recording.flits = flits / 2;
  recording.workload = fmt::format("random flits both ways, load {:g}", load);
  recording.workload_cycles = recording.trace.cycles - recording.trace.lead_cycles;
  return recording;
}

}  // namespace weft::verif
