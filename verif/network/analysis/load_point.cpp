// SPDX-License-Identifier: Apache-2.0
#include "verif/network/analysis/load_point.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace weft::verif {
namespace {

/// More growth of what is under way than this share of the offered load is saturation.
constexpr double saturation_growth = 0.005;
/// A run that grew by more than this share has no steady state to average over, whether or not it
/// was long enough to show a drift.
constexpr double unsteady_growth = 0.02;
constexpr double tail_quantile = 0.99;

/// The 97.5 % quantile of Student's t distribution with `freedom` degrees of freedom, 1 and more.
double student_t(std::size_t freedom) {
  constexpr std::array<double, 30> table = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                            2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                            2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                            2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
  if (freedom <= table.size()) return table[freedom - 1];
  // From the normal distribution by the first term of the Cornish-Fisher expansion.
  constexpr double z = 1.959964;
  return z + (z * z * z + z) / (4 * static_cast<double>(freedom));
}

template <typename Function>
Estimate estimate_of(std::span<const RunResult> runs, Function&& value) {
  std::vector<double> samples;
  for (const RunResult& run : runs) samples.push_back(value(run));
  return estimate(samples);
}

double rate(std::uint64_t flits, const RunResult& run, std::size_t nodes) {
  return static_cast<double>(flits) /
         (static_cast<double>(nodes) * static_cast<double>(run.measurement));
}

double min_node_accepted(std::span<const RunResult> runs) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t node = 0; node < runs.front().accepted.size(); ++node) {
    double offered = 0;
    double accepted = 0;
    for (const RunResult& run : runs) {
      offered += rate(run.offered[node], run, runs.size());
      accepted += rate(run.accepted[node], run, runs.size());
    }
    if (offered > 0) least = std::min(least, accepted);
  }
  return std::isinf(least) ? 0 : least;
}

/// Whether the runs were too short to say anything.
bool undecided(std::span<const RunResult> runs) {
  const bool without_packets = std::any_of(
      runs.begin(), runs.end(), [](const RunResult& run) { return run.total_offered() == 0; });
  return without_packets || (!runs.front().finite && growth_share(runs) > unsteady_growth);
}

LoadOutcome outcome_of(std::span<const RunResult> runs) {
  const auto any = [&](auto&& is) { return std::any_of(runs.begin(), runs.end(), is); };
  if (any([](const RunResult& run) { return run.stuck; })) return LoadOutcome::stuck;
  const bool finite = runs.front().finite;
  if (!finite && overloaded(runs, saturation_growth)) return LoadOutcome::saturated;
  if (any([](const RunResult& run) { return run.unfinished > 0; })) return LoadOutcome::draining;
  return undecided(runs) ? LoadOutcome::undecided : LoadOutcome::stable;
}

}  // namespace

Estimate estimate(std::span<const double> samples) {
  const auto count = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
  if (samples.size() == 1) return {mean, std::numeric_limits<double>::infinity()};
  double squares = 0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  return {mean, student_t(samples.size() - 1) * std::sqrt(squares / (count - 1) / count)};
}

const char* to_string(LoadOutcome outcome) {
  constexpr std::array<const char*, 5> names = {"stable", "saturated", "draining", "stuck",
                                                "undecided"};
  return names[static_cast<std::size_t>(outcome)];
}

LoadPoint make_load_point(double load, std::span<const RunResult> runs) {
  const std::size_t nodes = runs.front().offered.size();
  LoadPoint point;
  point.load = load;
  point.offered = estimate_of(
      runs, [&](const RunResult& run) { return rate(run.total_offered(), run, nodes); });
  point.accepted = estimate_of(
      runs, [&](const RunResult& run) { return rate(run.total_accepted(), run, nodes); });
  point.min_node_accepted = min_node_accepted(runs);
  point.outcome = outcome_of(runs);
  if (point.stable()) {
    point.mean_latency = estimate_of(runs, [](const RunResult& run) { return run.latency.mean(); });
    point.p99_latency = estimate_of(runs, [](const RunResult& run) {
      return static_cast<double>(run.latency.percentile(tail_quantile));
    });
  }
  for (const RunResult& run : runs) {
    point.unfinished += run.unfinished;
    point.cycles += run.cycles;
  }
  return point;
}

}  // namespace weft::verif
