// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "arch/network/link.h"
#include "testbenches/link/link_bench.h"

namespace weft::verif {

/// What a link carries at a bit error rate, both directions loaded fully, beside what the formulas
/// of docs/link.md ("Throughput") say.
struct Goodput {
  std::string problem;      ///< empty: nothing was lost, duplicated, reordered or corrupted
  std::uint64_t flits = 0;  ///< that came out, of both directions
  std::uint64_t cycles = 0;
  double frame_error = 0;  ///< p: bad frames of all frames, measured
  double frame_error_formula = 0;
  double frames_per_error = 0;  ///< W: frames that carried no new flit, a replay, measured
  double frames_per_error_formula = 0;
  double goodput = 0;  ///< flits a frame, measured
  double goodput_formula = 0;

  /// Of the measured goodput, relative.
  [[nodiscard]] double deviation() const { return goodput / goodput_formula - 1; }
};

/// Sends `flits` flits in each direction over wires of `channel_latency` (at least 1) cycles.
[[nodiscard]] Goodput measure_goodput(const LinkEnd& end, double bit_error_rate,
                                      std::uint64_t flits, std::uint64_t seed);

}  // namespace weft::verif
