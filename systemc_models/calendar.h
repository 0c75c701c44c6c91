// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace weft::models {

/// What is due in which of the next `horizon` cycles: a ring of entries of type T, in place of a
/// heap. Whoever has something to do later than that asks for the horizon, and then again.
template <typename T>
class Calendar {
 public:
  static constexpr std::uint64_t horizon = 63;
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  /// The entry of a cycle of the horizon after the one last taken; it is due from now on.
  T& at(std::uint64_t cycle) {
    const std::size_t slot = cycle % slots;
    due_ |= std::uint64_t{1} << slot;
    return entries_[slot];
  }

  /// The entry of `cycle`, which becomes empty when `function(entry)` has used it.
  template <typename Function>
  void take(std::uint64_t cycle, Function&& function) {
    // Something is due more often than not: an empty entry costs less than a guess gone wrong.
    const std::size_t slot = cycle % slots;
    due_ &= ~(std::uint64_t{1} << slot);
    function(entries_[slot]);
    entries_[slot].clear();
  }

  /// The first cycle after `cycle`, the one last taken, in which something is due.
  [[nodiscard]] std::uint64_t next(std::uint64_t cycle) const {
    if (due_ == 0) return never;
    const std::uint64_t from_next = std::rotr(due_, static_cast<int>((cycle + 1) % slots));
    return cycle + 1 + static_cast<std::uint64_t>(std::countr_zero(from_next));
  }

 private:
  static constexpr std::size_t slots = horizon + 1;

  std::array<T, slots> entries_{};
  std::uint64_t due_ = 0;  ///< bit a slot
};

}  // namespace weft::models
