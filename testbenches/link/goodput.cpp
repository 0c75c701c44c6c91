// SPDX-License-Identifier: Apache-2.0
#include "testbenches/link/goodput.h"

#include <algorithm>

#include "arch/network/link_timing.h"

namespace weft::verif {
namespace {

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

/// Cycles for which a state that has just changed waits for the next frame, when both ends were
/// reset in the same cycle: it changes PHITS + L + 4 cycles after a frame was composed.
int slot_distance(int phits, int latency) { return (phits - (latency + 4) % phits) % phits; }

}  // namespace

Goodput measure_goodput(const LinkEnd& end, double bit_error_rate, std::uint64_t flits,
                        std::uint64_t seed) {
  arch::Link link = end.link;
  link.channel_latency = std::max(1, link.channel_latency);
  LinkScenario scenario;
  scenario.name = "goodput";
  scenario.seed = seed;
  for (LinkDirection& direction : scenario.directions) {
    direction.flits = flits;
    direction.latency = link.channel_latency;
    direction.faults.bit_errors = bit_error_rate;
  }
  LinkBench bench(end);
  Goodput result;
  result.problem = bench.run(scenario);
  result.cycles = bench.cycles();

  DirectionTotals::Streamed sum;
  for (int d = 0; d < 2; ++d) {
    const DirectionTotals& totals = bench.totals(d);
    result.flits += totals.flits;
    sum.flits += totals.streamed.flits;
    sum.cycles += totals.streamed.cycles;
    sum.errors += totals.streamed.errors;
    sum.replays += totals.streamed.replays;
  }
  const int phits = arch::LinkTiming(link).phits;
  const std::uint64_t frames = sum.cycles / static_cast<std::uint64_t>(phits);
  result.frame_error = ratio(sum.errors, frames);
  result.frames_per_error = sum.replays == 0 ? 0 : ratio(frames - sum.flits, sum.replays);
  result.goodput = ratio(sum.flits, frames);
  const double p = arch::frame_error_probability(link, bit_error_rate);
  result.frame_error_formula = p;
  result.frames_per_error_formula =
      arch::frames_per_error(link, p, slot_distance(phits, link.channel_latency));
  result.goodput_formula = arch::link_goodput(p, result.frames_per_error_formula);
  return result;
}

}  // namespace weft::verif
