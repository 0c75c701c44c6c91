// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verif/network/analysis/load_point.h"

namespace weft::verif {

/// Measures the network at an offered load.
using MeasureLoad = std::function<LoadPoint(double load)>;

/// The latency-throughput curve of a network.
struct LoadSweep {
  std::vector<LoadPoint> points;  ///< by rising load; the last one is at full load
  /// The largest load that was seen to be stable; nothing if the network got stuck below that or
  /// the smallest load was too much.
  std::optional<double> saturation_load;
};

/// Measures loads in steps of a tenth until one is not stable, then full load, then between the
/// last stable load and the first one that is not, until they are `resolution` apart. Ends at once
/// when the network gets stuck.
[[nodiscard]] LoadSweep sweep_load(const MeasureLoad& measure, double resolution = 0.01);

}  // namespace weft::verif
