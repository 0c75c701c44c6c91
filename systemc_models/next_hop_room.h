// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/network/switch.h"

namespace weft::models {

/// The credits of a switch's outputs, a place for each (output, VC), for whole packets. Credits
/// come back in runs of one a cycle whose beginning is known in advance, so that the departure of
/// every flit of a packet is known when its head leaves.
class NextHopRoom {
 public:
  /// See make_packet_switch() for `sink_round_trip`.
  NextHopRoom(const arch::Switch& design, int sink_round_trip);

  /// Credits never keep a packet: the other functions need not be called.
  [[nodiscard]] bool unlimited() const { return unlimited_; }
  /// Whether a packet of `flits` may leave from `now` on.
  [[nodiscard]] bool may_begin(std::size_t place, int flits, std::uint64_t now);
  /// The packet, which may begin, does so. Returns the cycle in which its last flit departs.
  std::uint64_t begin(std::size_t place, int flits, std::uint64_t now);
  /// Credits for `flits` flits: the first can be used from `cycle` on, then one a cycle.
  void give(std::size_t place, int flits, std::uint64_t cycle);

 private:
  struct Run {
    std::uint64_t cycle = 0;
    int flits = 0;
  };
  struct Place {
    int room = 0;           ///< credits at hand; below 0: of the next ones, those already spent
    std::size_t first = 0;  ///< of the ring of runs
    std::size_t runs = 0;
  };

  Run& run(std::size_t place, std::size_t number) {
    return runs_[place * capacity_ + (places_[place].first + number) % capacity_];
  }
  void drop_run(Place& place) const {
    place.first = (place.first + 1) % capacity_;
    --place.runs;
  }
  /// Turns runs into room as far as they have come by `now`.
  void settle(std::size_t place, std::uint64_t now);

  bool unlimited_ = false;
  int credits_;
  int needed_;            ///< by a head
  int sink_round_trip_;   ///< or explicit_credits
  std::size_t capacity_;  ///< runs of a place; each is at least a credit
  std::vector<Place> places_;
  std::vector<Run> runs_;
};

}  // namespace weft::models
