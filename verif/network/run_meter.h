// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verif/network/latency_histogram.h"
#include "verif/traffic/traffic.h"

namespace weft::verif {

/// The phases of a measurement, in cycles. Traffic goes on through all of them.
struct RunPhases {
  std::uint64_t warmup = 10000;       ///< until queues have found their level
  std::uint64_t measurement = 30000;  ///< the packets that are created in it are measured
  std::uint64_t drain = 100000;       ///< at most: until all of those have come out
  /// Nothing has come out for so long though packets are under way: nothing moves any more.
  std::uint64_t patience = 10000;
  bool finite = false;  ///< the traffic ends by itself: drain whatever has piled up
};

/// What was counted while traffic ran through a network. "In the measurement" a packet is offered
/// when it is created, and accepted when its tail comes out.
struct RunResult {
  /// Parts of the measurement, of equal length, over which the growth of what is under way is seen.
  static constexpr std::size_t parts = 8;

  std::uint64_t cycles = 0;                  ///< of all phases
  std::uint64_t measurement = 0;             ///< cycles of that phase
  bool finite = false;                       ///< the traffic ends by itself
  std::vector<std::uint64_t> offered;        ///< flits in the measurement, by source
  std::vector<std::uint64_t> accepted;       ///< flits in the measurement, by source
  std::vector<std::uint64_t> received;       ///< flits in the measurement, by destination
  std::array<std::int64_t, parts> growth{};  ///< flits offered minus accepted, in each part
  LatencyHistogram latency;                  ///< creation to tail, of packets that were offered
  std::uint64_t unfinished = 0;              ///< of these: those that had not come out at the end
  bool stuck = false;                        ///< packets are under way and nothing moves
  std::string violation;  ///< what the network did wrong first, with the cycle; empty: nothing

  [[nodiscard]] std::uint64_t total_offered() const;
  [[nodiscard]] std::uint64_t total_accepted() const;
};

/// Whether more came in than went out in all of these runs together: what is under way grew by more
/// than `share` of what was offered, and by far more than it varies (a drift of three standard
/// errors over the parts; what varies around a level has almost none).
[[nodiscard]] bool overloaded(std::span<const RunResult> runs, double share);

/// By which share of what was offered in all of these runs together more came in than went out.
[[nodiscard]] double growth_share(std::span<const RunResult> runs);

/// Counts what a run is about, whatever carries the packets.
class RunMeter {
 public:
  RunMeter(int nodes, const RunPhases& phases);
  RunMeter(const RunMeter&) = delete;
  RunMeter& operator=(const RunMeter&) = delete;

  void created(const Injection& packet) {
    ++under_way_;
    *growth_ += packet.flits;
    if (!measured(packet.cycle)) return;
    ++result_.unfinished;
    result_.offered[static_cast<std::size_t>(packet.source)] +=
        static_cast<std::uint64_t>(packet.flits);
  }
  /// `tail`: the cycle in which its last flit came out, or will, if that is known already.
  [[gnu::always_inline]] void delivered(const Injection& packet, std::uint64_t tail) {
    --under_way_;
    *growth_ -= packet.flits;
    last_tail_ = std::max(last_tail_, tail);
    if (measured(tail)) {
      const auto flits = static_cast<std::uint64_t>(packet.flits);
      result_.accepted[static_cast<std::size_t>(packet.source)] += flits;
      result_.received[static_cast<std::size_t>(packet.destination)] += flits;
    }
    if (!measured(packet.cycle)) return;
    --result_.unfinished;
    result_.latency.add(tail - packet.cycle);
  }

  /// Whether cycle `now`, the one after all that has been told, belongs to the run. It ends early
  /// when nothing moves any more, or when so much has piled up that draining says nothing.
  [[nodiscard]] bool goes_on(std::uint64_t now) {
    if (now >= next_part_) begin_part(now);
    if (under_way_ == 0) idle_ = now;
    if (now < end_ && now <= moved() + phases_.patience) return true;
    return drains(now);
  }
  /// The result of a run that had `cycles` cycles.
  [[nodiscard]] RunResult finish(std::uint64_t cycles);

 private:
  [[nodiscard]] bool measured(std::uint64_t cycle) const { return cycle - begin_ < length_; }
  /// The last cycle of which one cannot say that packets were under way and nothing moved.
  [[nodiscard]] std::uint64_t moved() const { return std::max(last_tail_, idle_); }
  void begin_part(std::uint64_t now);
  bool drains(std::uint64_t now);

  RunPhases phases_;
  std::uint64_t begin_;
  std::uint64_t length_;
  std::uint64_t end_;
  RunResult result_;
  std::uint64_t under_way_ = 0;            ///< packets
  std::int64_t other_growth_ = 0;          ///< before and after the measurement
  std::int64_t* growth_ = &other_growth_;  ///< of the part that this is
  std::uint64_t next_part_;                ///< cycle in which the next part begins
  std::uint64_t last_tail_ = 0;
  std::uint64_t idle_ = 0;        ///< last cycle in which nothing was under way
  std::optional<bool> hopeless_;  ///< known from the end of the measurement on
};

}  // namespace weft::verif
