// SPDX-License-Identifier: Apache-2.0
#include "verif/network/run_meter.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace weft::verif {
namespace {

/// Beyond this growth a run is so far above saturation that its latencies mean nothing.
constexpr double hopeless_growth = 0.05;

std::uint64_t sum(const std::vector<std::uint64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

}  // namespace

std::uint64_t RunResult::total_offered() const { return sum(offered); }
std::uint64_t RunResult::total_accepted() const { return sum(accepted); }

bool overloaded(std::span<const RunResult> runs, double share) {
  double offered = 0;
  double total = 0;
  double squares = 0;
  for (const RunResult& run : runs) {
    offered += static_cast<double>(run.total_offered());
    for (const std::int64_t step : run.growth) {
      total += static_cast<double>(step);
      squares += static_cast<double>(step) * static_cast<double>(step);
    }
  }
  const auto steps = static_cast<double>(runs.size() * RunResult::parts);
  const double mean = total / steps;
  const double variance = (squares / steps - mean * mean) * steps / (steps - 1);
  constexpr double standard_errors = 3;
  return total > share * offered && mean > standard_errors * std::sqrt(variance / steps);
}

double growth_share(std::span<const RunResult> runs) {
  double offered = 0;
  double growth = 0;
  for (const RunResult& run : runs) {
    offered += static_cast<double>(run.total_offered());
    for (const std::int64_t step : run.growth) growth += static_cast<double>(step);
  }
  return offered > 0 ? growth / offered : 0;
}

RunMeter::RunMeter(int nodes, const RunPhases& phases)
    : phases_(phases),
      begin_(phases.warmup),
      // What ends by itself is measured until it is out.
      length_(phases.finite ? Injection::never - phases.warmup : phases.measurement),
      end_(phases.warmup + phases.measurement),
      next_part_(phases.warmup) {
  result_.measurement = phases.measurement;
  result_.finite = phases.finite;
  for (auto* flits : {&result_.offered, &result_.accepted, &result_.received}) {
    flits->resize(static_cast<std::size_t>(nodes));
  }
}

void RunMeter::begin_part(std::uint64_t now) {
  std::size_t part = 0;
  const auto end_of = [this](std::size_t p) {
    return begin_ + (p + 1) * phases_.measurement / RunResult::parts;
  };
  while (part < RunResult::parts && now >= end_of(part)) ++part;
  const bool measuring = part < RunResult::parts;
  growth_ = measuring ? &result_.growth[part] : &other_growth_;
  next_part_ = measuring ? end_of(part) : Injection::never;
}

bool RunMeter::drains(std::uint64_t now) {
  if (under_way_ > 0 && now > moved() + phases_.patience) {
    result_.stuck = true;
    return false;
  }
  if (!hopeless_) hopeless_ = !phases_.finite && overloaded({&result_, 1}, hopeless_growth);
  return result_.unfinished > 0 && now < end_ + phases_.drain && !*hopeless_;
}

RunResult RunMeter::finish(std::uint64_t cycles) {
  result_.cycles = cycles;
  if (phases_.finite) result_.measurement = last_tail_ + 1 - begin_;
  return std::move(result_);
}

}  // namespace weft::verif
