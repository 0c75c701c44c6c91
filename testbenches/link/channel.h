// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "arch/network/link.h"
#include "verif/random.h"

namespace weft::verif {

/// What a wire does to what crosses it.
struct ChannelFaults {
  double bit_errors = 0;       ///< probability of each bit to be inverted
  double bursts = 0;           ///< probability, per phit, that a burst begins on one of the lanes
  int burst_bits = 0;          ///< its length on the lane: the first bit is wrong, others at random
  double lost_frames = 0;      ///< probability that a frame is replaced by zeros
  double repeated_frames = 0;  ///< probability that a frame is replaced by one before it
  int repeated_age = 1;        ///< by which: the last one, or the one so many before
  double slips = 0;            ///< probability, per phit, that it is lost or comes twice
};

/// One direction of a link's wire: phits come out some cycles after they were put in, damaged.
class Channel {
 public:
  /// `latency`: at least 1 cycle.
  Channel(const arch::Link& link, int latency, std::uint64_t seed);

  /// From now on.
  void set_faults(const ChannelFaults& faults);
  /// While cut, zeros arrive.
  void cut(bool is_cut) { cut_ = is_cut; }

  /// What arrives in this cycle.
  [[nodiscard]] std::span<const std::uint64_t> arriving() const { return line_.front(); }
  /// Ends the cycle: `phit` was sent in it. `first`: a frame begins with it.
  void send(std::span<const std::uint64_t> phit, bool first);

 private:
  using Phit = std::vector<std::uint64_t>;

  bool happens(double probability);
  void replace_frame(Phit& phit, bool first);
  void invert_bits(Phit& phit);
  void burst(Phit& phit);

  int lanes_;
  int lane_width_;
  std::size_t phits_;
  std::size_t latency_;
  ChannelFaults faults_;
  Random random_;
  bool cut_ = false;
  std::deque<Phit> line_;         ///< what is on the wire, oldest first
  std::deque<Phit> history_;      ///< what was put in, as it was: oldest last
  bool losing_ = false;           ///< this frame is replaced by zeros
  bool repeating_ = false;        ///< this frame is replaced by an older one
  std::uint64_t error_free_ = 0;  ///< bits until the next one is inverted
  int burst_lane_ = 0;
  int burst_left_ = 0;  ///< bits of the burst under way
};

}  // namespace weft::verif
