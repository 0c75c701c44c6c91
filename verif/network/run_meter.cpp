// SPDX-License-Identifier: Apache-2.0
#include "verif/network/run_meter.h"

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

double RunResult::growth() const {
  const auto in = static_cast<double>(total_offered());
  return in == 0 ? 0 : (in - static_cast<double>(total_accepted())) / in;
}

RunMeter::RunMeter(int nodes, const RunPhases& phases)
    : phases_(phases), begin_(phases.warmup), length_(phases.measurement) {
  result_.measurement = phases.measurement;
  for (auto* flits : {&result_.offered, &result_.accepted, &result_.received}) {
    flits->resize(static_cast<std::size_t>(nodes));
  }
}

bool RunMeter::goes_on(std::uint64_t now) {
  if (under_way_ > 0 && now > last_delivery_ + phases_.patience) {
    result_.stuck = true;
    return false;
  }
  if (under_way_ == 0) last_delivery_ = now;
  const std::uint64_t end = begin_ + length_;
  if (now < end) return true;
  if (!hopeless_) hopeless_ = result_.growth() > hopeless_growth;
  return result_.unfinished > 0 && now < end + phases_.drain && !*hopeless_;
}

RunResult RunMeter::finish(std::uint64_t cycles) {
  result_.cycles = cycles;
  return std::move(result_);
}

}  // namespace weft::verif
