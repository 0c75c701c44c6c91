// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weft::synth {

/// How a MiniLibrary is written down.
struct MiniLibraryOptions {
  std::string time_unit = "1ns";
  double time_scale = 1;  ///< time units of a nanosecond
  std::string capacitance_unit = "pf";
  double capacitance_scale = 1e-3;  ///< capacitance units of a femtofarad
  bool inverted_flip_flop = false;  ///< the flip-flop has only an inverted output
  bool flip_flop = true;
};

/// A Liberty library whose delays do not depend on load and slew, so that areas and paths can be
/// summed by hand:
///
///   cell   area   delay
///   INV    1      0.1 ns
///   BUF    2      0.2 ns
///   NAND   3      0.3 ns
///   NOR    3.5    0.35 ns
///   DFF    10     0.5 ns from the clock, setup 0.05 ns
///
/// Every input has 2 fF.
std::string mini_library(const MiniLibraryOptions& options = {});

inline constexpr double mini_inv_area = 1;
inline constexpr double mini_dff_area = 10;
inline constexpr double mini_inv_ns = 0.1;
inline constexpr double mini_nand_ns = 0.3;
inline constexpr double mini_clock_to_output_ns = 0.5;
inline constexpr double mini_setup_ns = 0.05;

}  // namespace weft::synth
