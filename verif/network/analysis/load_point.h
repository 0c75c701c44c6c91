// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "verif/network/run_meter.h"

namespace weft::verif {

/// A mean with half the width of its 95 % confidence interval.
struct Estimate {
  double mean = 0;
  double margin = 0;  ///< infinite where there is one sample only
};

/// From independent samples (Student's t); at least one.
[[nodiscard]] Estimate estimate(std::span<const double> samples);

/// What became of the packets at an offered load.
enum class LoadOutcome {
  stable,     ///< what was offered was accepted, and all of it came out
  saturated,  ///< more was offered than accepted: latencies grow as long as the run does
  draining,   ///< not saturated, but packets had not come out when the drain phase ended
  stuck,      ///< packets were under way and nothing moved: a deadlock
  undecided,  ///< the measurement was too short: no packets, or more came in than went out
};
[[nodiscard]] const char* to_string(LoadOutcome outcome);

/// A point of the latency-throughput curve. Rates are in flits/node/cycle, latencies in cycles from
/// a packet's creation to its tail at the destination.
struct LoadPoint {
  double load = 0;  ///< asked for
  Estimate offered;
  Estimate accepted;
  /// Of the node whose packets fared worst, among those that sent any.
  double min_node_accepted = 0;
  // Of stable points only: the others have no steady state to average over.
  Estimate mean_latency;
  Estimate p99_latency;
  LoadOutcome outcome = LoadOutcome::stable;
  std::uint64_t unfinished = 0;  ///< packets, in all runs
  std::uint64_t cycles = 0;      ///< simulated, in all runs
  double cpu_seconds = 0;        ///< that took

  [[nodiscard]] bool stable() const { return outcome == LoadOutcome::stable; }
};

/// The point that runs of different seeds at one load give; at least one.
[[nodiscard]] LoadPoint make_load_point(double load, std::span<const RunResult> runs);

}  // namespace weft::verif
