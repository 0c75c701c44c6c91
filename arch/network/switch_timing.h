// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/switch.h"

namespace weft::arch {

/// The constants of a switch's timing contract (docs/switch.md, "Time"), in cycles.
struct SwitchTiming {
  explicit SwitchTiming(const Switch& design);

  int input_stages = 0;       ///< D_in
  int output_stages = 0;      ///< D_out
  int latency = 0;            ///< LATENCY of an idle switch, port to port
  int output_fifo_depth = 0;  ///< of each output, with ready/valid; 0 with credits
  int output_credits = 0;     ///< at reset, of each (output, VC)
  int result_stages = 0;      ///< L: registers on the way of a reduction's result to its FIFO
  int result_places = 0;      ///< of the result FIFO
  /// Cycles from a flit's departure until the credit for its place can be used for another, when
  /// the next hop is the same switch and lets it pass at once, over links of `link_latency`.
  int credit_round_trip = 0;
  /// Sustained flits a cycle of one VC: min(1, credits / credit_round_trip).
  double vc_throughput = 1;
};

}  // namespace weft::arch
