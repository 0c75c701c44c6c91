// SPDX-License-Identifier: Apache-2.0
#include "arch/network/link_timing.h"

#include <algorithm>
#include <cmath>

#include "arch/network/link_frame.h"

namespace weft::arch {
namespace {

int frames(int cycles, int phits) { return (cycles + phits - 1) / phits; }

}  // namespace

LinkTiming::LinkTiming(const Link& link, int slot_distance)
    : phits(FrameLayout(link).phits), latency(phits + link.channel_latency + 5) {
  const int wait = slot_distance < 0 ? phits - 1 : slot_distance;
  const int round_trip = 2 * (phits + link.channel_latency) + wait;
  replay_frames = frames(round_trip + 8, phits);
  replay_round_trip = frames(round_trip + 9, phits);
  credit_round_trip = frames(round_trip + 10, phits) + link.virtual_channels - 1;
  error_free_rate = std::min({1.0, static_cast<double>(link.replay_depth) / replay_round_trip,
                              static_cast<double>(link.buffer_depth) / credit_round_trip});
}

double frame_error_probability(const Link& link, double bit_error_rate) {
  return -std::expm1(FrameLayout(link).bits * std::log1p(-bit_error_rate));
}

double frames_per_error(const Link& link, double frame_error, int slot_distance) {
  return LinkTiming(link, slot_distance).replay_frames + 1 + 2 * frame_error / (1 - frame_error);
}

double link_goodput(double frame_error, double frames_per_error) {
  return (1 - frame_error) / (1 - frame_error + frame_error * frames_per_error);
}

}  // namespace weft::arch
