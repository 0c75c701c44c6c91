// SPDX-License-Identifier: Apache-2.0
#include "verif/network/analysis/load_sweep.h"

#include <algorithm>
#include <cmath>

namespace weft::verif {
namespace {

constexpr int coarse_steps = 10;

/// A load that reads well: no more digits than the resolution needs.
double rounded(double load) { return std::round(load * 1e4) / 1e4; }

}  // namespace

LoadSweep sweep_load(const MeasureLoad& measure, double resolution) {
  LoadSweep sweep;
  double stable = 0;
  double unstable = 0;  // 0: none is known
  const auto visit = [&](double load) {
    sweep.points.push_back(measure(load));
    const LoadPoint& point = sweep.points.back();
    if (point.stable()) {
      stable = std::max(stable, load);
    } else {
      unstable = unstable == 0 ? load : std::min(unstable, load);
    }
    return point.outcome != LoadOutcome::stuck;
  };
  const auto run = [&] {
    for (int step = 1; step <= coarse_steps && unstable == 0; ++step) {
      if (!visit(static_cast<double>(step) / coarse_steps)) return;
    }
    if (sweep.points.back().load < 1 && !visit(1)) return;
    while (unstable != 0 && unstable - stable > resolution * 1.001) {
      if (!visit(rounded((stable + unstable) / 2))) return;
    }
  };
  run();
  std::ranges::sort(sweep.points, {}, &LoadPoint::load);
  if (stable > 0) sweep.saturation_load = stable;
  return sweep;
}

}  // namespace weft::verif
