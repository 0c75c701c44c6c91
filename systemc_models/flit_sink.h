// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "systemc_models/switch_out_port.h"

namespace weft::models {

/// One VC behind an output: makes packets of flits, and gives their credits back as a next hop
/// does that forwards one packet at a time. Flits of the first packet that was not taken give
/// theirs at once; those of the packets behind it when their turn comes.
class FlitSink {
 public:
  /// A flit of `flit_bytes` bytes left at `now`. The packet, if it was the last one.
  std::optional<LeavingPacket> take(bool head, bool tail, std::span<const std::uint64_t> flit,
                                    std::size_t flit_bytes, const sc_core::sc_time& now) {
    if (head) {
      packet_ = {};
      packet_.head = now;
      if (not_taken_ != 0) withheld_.push_back(0);
    }
    const std::size_t at = packet_.data.size();
    packet_.data.resize(at + flit_bytes);
    std::memcpy(packet_.data.data() + at, flit.data(), flit_bytes);
    ++(not_taken_ != 0 ? withheld_.back() : credits_);
    if (!tail) return std::nullopt;
    ++not_taken_;
    packet_.tail = now;
    return std::move(packet_);
  }

  /// The next hop has taken the first packet.
  void packet_taken() {
    --not_taken_;
    if (withheld_.empty()) return;
    credits_ += withheld_.front();
    withheld_.pop_front();
  }

  /// Whether a credit goes back in this cycle.
  bool give_credit() {
    if (credits_ == 0) return false;
    --credits_;
    return true;
  }
  /// Ready/valid: whether it takes a flit.
  [[nodiscard]] bool ready() const { return not_taken_ == 0; }

 private:
  LeavingPacket packet_;      // the one that is coming
  int not_taken_ = 0;         // packets that have come and were not taken
  int credits_ = 0;           // to be given back
  std::deque<int> withheld_;  // of the packets behind the first one not taken
};

}  // namespace weft::models
