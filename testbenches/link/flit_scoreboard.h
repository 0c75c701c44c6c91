// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "arch/network/link.h"
#include "verif/random.h"

namespace weft::verif {

/// What crosses a link in one direction: makes flits that can be told apart, and compares what
/// comes out with what went in. Each virtual channel keeps its order.
class FlitScoreboard {
 public:
  FlitScoreboard(const arch::Link& link, std::string direction, std::uint64_t seed);

  /// The next flit to be offered in `vc`; the same until it is taken.
  [[nodiscard]] std::span<const std::uint64_t> offer(int vc);
  /// It was taken.
  void taken(int vc);
  /// A flit left in `vc`.
  void left(int vc, std::span<const std::uint64_t> flit);
  /// An end was reset or restarted: what is under way may be lost, but nothing else may happen.
  void forgive();

  [[nodiscard]] std::uint64_t total_taken() const { return total_taken_; }
  [[nodiscard]] std::uint64_t total_left() const { return total_left_; }
  /// Flits that have gone in, not come out, and must.
  [[nodiscard]] std::uint64_t owed() const;
  /// Flits in `vc` that have gone in and not come out.
  [[nodiscard]] std::uint64_t under_way(int vc) const {
    return channels_[static_cast<std::size_t>(vc)].under_way.size();
  }
  /// The first thing that was wrong; empty if nothing was.
  [[nodiscard]] const std::string& mismatch() const { return mismatch_; }

 private:
  using Words = std::vector<std::uint64_t>;
  struct Sent {
    std::uint64_t number;
    Words bits;
    bool forgiven = false;
  };
  struct VirtualChannel {
    std::deque<Sent> under_way;
    Words offered;             ///< empty: none yet
    std::uint64_t number = 0;  ///< of the flit offered
    std::deque<Sent> recent;   ///< the last that came out, to say what a wrong one is
  };

  [[nodiscard]] std::string explain(const VirtualChannel& channel, int vc,
                                    std::span<const std::uint64_t> flit) const;

  std::string direction_;
  int flit_width_;
  Random random_;
  std::vector<VirtualChannel> channels_;
  std::uint64_t total_taken_ = 0;
  std::uint64_t total_left_ = 0;
  std::string mismatch_;
};

}  // namespace weft::verif
