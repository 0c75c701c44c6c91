// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "synth/synth.h"

namespace weft::synth {

/// A point of a search: what is asked of synthesis.
struct ProbePoint {
  std::string recipe;
  double clock_ns = 0;
};

/// Synthesises a design at several points, some at a time, each in a folder of its own
/// (probes/RECIPE_CLOCK) below the request's. What the cache has is not done again.
class Prober {
 public:
  /// `jobs`: how many run at a time. Errors of the request show when the first point is probed.
  Prober(Request request, int jobs);

  /// The results, in the order of the points. Throws as synth::run does.
  std::vector<Result> probe(const std::vector<ProbePoint>& points);
  [[nodiscard]] int jobs() const { return jobs_; }

 private:
  [[nodiscard]] Result probe_one(const ProbePoint& point) const;

  Request request_;
  std::function<void(std::string_view)> progress_;
  int jobs_;
  std::size_t done_ = 0;
};

}  // namespace weft::synth
