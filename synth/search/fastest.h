// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "synth/synth.h"

namespace weft::synth {

struct SearchOptions {
  double tolerance = 0.01;  ///< of the clock period, relative
  int jobs = 2;             ///< syntheses at a time
};

/// The fastest clock of a design.
struct FastestClock {
  Result result;         ///< of the shortest period that was found to be met; without by_module
  double missed_ns = 0;  ///< the longest shorter period that was tried and missed
  /// The probe with the shortest path. It may have been asked for a period that it misses: ABC
  /// tries harder then than for one that the design just meets.
  [[nodiscard]] const Result& shortest_path() const;

  std::vector<Result> probes;  ///< all that was tried, by period
};

/// Finds the shortest clock period that a design meets on a cell library, by trying: synthesis with
/// that period (ABC works as hard as the period asks for), then timing analysis of the result.
/// The interval between a period that is met and one that is missed is cut, `jobs` places at a
/// time, until it is within the tolerance. Synthesis is not monotonic, so another period in between
/// may happen to be met; periods below 80 % of the shortest path seen are taken to be out of reach.
///
/// Request::clock_ns is where the search begins. Errors as of run(); UserError if the tolerance is
/// not in 0.0001 .. 0.5, the target is an FPGA, or the design has no path.
FastestClock find_fastest_clock(const Request& request, const SearchOptions& options = {});

/// The result's JSON with what was tried, as `search`.
nlohmann::ordered_json to_json(const FastestClock& fastest, const SearchOptions& options);
std::string to_text(const FastestClock& fastest);

}  // namespace weft::synth
