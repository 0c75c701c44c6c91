// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/link.h"

namespace weft::arch {

/// What the timing contract of a link says, over a wire of `channel_latency` cycles (docs/link.md,
/// "Time" and "Throughput"). `slot_distance`: cycles, 0 .. PHITS - 1, for which a state that has
/// just changed waits for the other end's next frame; -1: the most.
struct LinkTiming {
  explicit LinkTiming(const Link& link, int slot_distance = -1);

  int phits = 0;              ///< cycles of a frame
  int latency = 0;            ///< cycles from in to out of an idle link
  int replay_frames = 0;      ///< W0
  int replay_round_trip = 0;  ///< R: frames until a place in the replay buffer is free again
  int credit_round_trip = 0;  ///< C: frames until a credit can be used again
  /// Flits a frame of one VC without errors: min(1, REPLAY_DEPTH/R, BUFFER_DEPTH/C).
  double error_free_rate = 1;
};

/// p: the probability that a frame has an error, at independent bit errors.
[[nodiscard]] double frame_error_probability(const Link& link, double bit_error_rate);

/// W: frames that one error costs.
[[nodiscard]] double frames_per_error(const Link& link, double frame_error, int slot_distance = -1);

/// (1-p) / (1-p + p*W): flits a frame.
[[nodiscard]] double link_goodput(double frame_error, double frames_per_error);

}  // namespace weft::arch
