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
  static constexpr std::uint64_t horizon = 255;
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  /// The entry of a cycle of the horizon after the one last taken; it is due from now on.
  T& at(std::uint64_t cycle) {
    const std::size_t slot = cycle % slots;
    due_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    return entries_[slot];
  }

  /// The entry of `cycle`, which becomes empty when `function(entry)` has used it.
  template <typename Function>
  void take(std::uint64_t cycle, Function&& function) {
    const std::size_t slot = cycle % slots;
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    if ((due_[slot / 64] & bit) == 0) return;
    due_[slot / 64] &= ~bit;
    function(entries_[slot]);
    entries_[slot].clear();
  }

  /// The first cycle after `cycle`, the one last taken, in which something is due.
  [[nodiscard]] std::uint64_t next(std::uint64_t cycle) const {
    const std::size_t first = (cycle + 1) % slots;
    const std::uint64_t rest = due_[first / 64] >> (first % 64);
    if (rest != 0) return cycle + 1 + static_cast<std::uint64_t>(std::countr_zero(rest));
    std::uint64_t distance = 64 - first % 64;
    for (std::size_t step = 1; step <= words; ++step, distance += 64) {
      const std::uint64_t word = due_[(first / 64 + step) % words];
      if (word != 0)
        return cycle + 1 + distance + static_cast<std::uint64_t>(std::countr_zero(word));
    }
    return never;
  }

 private:
  static constexpr std::size_t slots = horizon + 1;
  static constexpr std::size_t words = slots / 64;

  std::array<T, slots> entries_{};
  std::array<std::uint64_t, words> due_{};
};

}  // namespace weft::models
