// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::models {

/// The map from array cycles to clock cycles under back pressure.
///
/// An array cycle in which no result stands at the port takes one clock cycle. One in which a
/// result does lasts until the sink is ready. So the map is the identity plus an offset that grows
/// at the array cycles that had to wait, the *stalls*; only these are stored.
///
/// Each reader of the map (an input stream, a group of result columns) has a cursor of its own and
/// asks for array cycles in non-decreasing order; a question then costs O(1) amortised.
class ArrayClock {
 public:
  explicit ArrayClock(std::size_t readers) : cursors_(readers) {}

  /// Begins anew: array cycle 0 is clock cycle 0. `ready` as in arch::Traffic.
  void start(std::span<const std::uint8_t> ready);

  [[nodiscard]] bool always_ready() const { return wait_.empty(); }

  /// A result stands at the port in array cycles first .. first + count - 1. `first` does not
  /// decrease from call to call, and no later cycle has been asked about.
  void occupy(std::uint64_t first, std::uint64_t count) {
    if (always_ready()) return;
    const std::uint64_t end = first + count;
    first = std::max(first, occupied_end_);
    if (first >= end) return;
    if (settled_ < occupied_.size() && occupied_end_ == first) {
      occupied_.back().end = end;
    } else {
      occupied_.push_back({first, end});
    }
    occupied_end_ = end;
  }

  /// The clock cycle in which an array cycle is performed (its last, if it has to wait).
  [[nodiscard]] std::uint64_t clock_cycle(std::uint64_t array_cycle, std::size_t reader) {
    if (always_ready()) return array_cycle;
    return array_cycle + offset_at(array_cycle, cursors_[reader]);
  }

  /// The first array cycle, `earliest` or later, that is performed in clock cycle `clock` or later.
  [[nodiscard]] std::uint64_t first_cycle(std::uint64_t earliest, std::uint64_t clock,
                                          std::size_t reader) {
    if (always_ready()) return std::max(earliest, clock);
    Cursor& cursor = cursors_[reader];
    for (std::uint64_t cycle = earliest;;) {
      const std::uint64_t offset = offset_at(cycle, cursor);
      if (cycle + offset >= clock) return cycle;
      const std::uint64_t candidate = clock - offset;  // right unless a stall lies between
      settle(candidate);
      if (cursor.next == stalls_.size() || stalls_[cursor.next].array_cycle > candidate) {
        return candidate;
      }
      cycle = stalls_[cursor.next].array_cycle;
    }
  }

  /// Drops stalls that every reader has passed; call now and then in a long experiment.
  void forget();

 private:
  struct Interval {
    std::uint64_t begin;
    std::uint64_t end;
  };
  struct Stall {
    std::uint64_t array_cycle;
    std::uint64_t offset;  // clock cycle minus array cycle, from this array cycle on
  };
  struct Cursor {
    std::size_t next = 0;      // first stall after the last cycle asked about
    std::uint64_t offset = 0;  // before that stall
  };

  std::uint64_t offset_at(std::uint64_t array_cycle, Cursor& cursor) {
    settle(array_cycle);
    while (cursor.next < stalls_.size() && stalls_[cursor.next].array_cycle <= array_cycle) {
      cursor.offset = stalls_[cursor.next++].offset;
    }
    return cursor.offset;
  }

  // Finds the stalls up to and including an array cycle.
  void settle(std::uint64_t array_cycle) {
    while (settled_ < occupied_.size() && occupied_[settled_].begin <= array_cycle) {
      settle_first_occupied();
    }
  }

  void settle_first_occupied() {
    Interval& interval = occupied_[settled_];
    const std::uint64_t clock = interval.begin + offset_;
    phase_ += clock - phase_clock_;
    if (phase_ >= wait_.size()) phase_ %= wait_.size();
    phase_clock_ = clock;
    if (const std::uint32_t wait = wait_[phase_]; wait != 0) {
      offset_ += wait;
      stalls_.push_back({interval.begin, offset_});
    }
    if (++interval.begin == interval.end) ++settled_;
  }

  std::vector<std::uint32_t> wait_;  // [phase of the ready pattern] clock cycles until ready
  std::vector<Interval> occupied_;   // disjoint, in order; those before settled_ are done
  std::size_t settled_ = 0;
  std::uint64_t occupied_end_ = 0;
  std::vector<Stall> stalls_;  // in order
  std::vector<Cursor> cursors_;
  std::uint64_t offset_ = 0;       // after the last stall
  std::uint64_t phase_ = 0;        // of the ready pattern ...
  std::uint64_t phase_clock_ = 0;  // ... in this clock cycle
};

}  // namespace weft::models
