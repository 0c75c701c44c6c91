// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "synth/synth.h"

namespace weft::synth {

/// What synthesis gave at one point of the curve.
struct FrontierPoint {
  std::string recipe;
  double clock_ns = 0;  ///< that was asked for
  double area_um2 = 0;
  double critical_path_ns = 0;
  /// Another point is no larger and no slower, and better in one of both; or it is the same and
  /// comes first.
  bool dominated = false;
};

/// Area against delay of a design on a cell library.
struct Frontier {
  std::string top;
  std::string target;
  std::vector<FrontierPoint> points;  ///< by critical path, then area
};

/// Synthesises a design with each recipe: once as fast as it gets, once without hurry, and at
/// `clocks` periods in equal ratios between the shortest and the longest path of these. Errors as
/// of run(); UserError if `recipes` is empty, `clocks` is not in 0 .. 100, or the target is an
/// FPGA.
Frontier find_frontier(const Request& request, const std::vector<std::string>& recipes, int clocks,
                       int jobs);

/// Sets FrontierPoint::dominated and the order.
void mark_dominated(std::vector<FrontierPoint>& points);

nlohmann::ordered_json to_json(const Frontier& frontier);
std::string to_csv(const Frontier& frontier);
std::string to_svg(const Frontier& frontier);
std::string to_text(const Frontier& frontier);

}  // namespace weft::synth
