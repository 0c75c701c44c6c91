// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "arch/tensor_array.h"
#include "arch/timing/acceptance.h"
#include "arch/timing/array_timing.h"
#include "systemc_models/array_clock.h"

namespace weft::models {

/// The timing of a tensor array, beat by beat: when is a beat accepted, when does a result leave?
/// It joins the acceptance rules of the contract, which count array cycles, with the clock cycles
/// that back pressure makes of them.
///
/// The two input streams may be asked about in any order that the rules can answer (`can_load`,
/// `can_multiply`). Under back pressure, more: all load beats of a tile, all its moving beats, all
/// its results, then the next tile. The answers do not depend on later tiles.
class TensorArrayTiming {
 public:
  /// When a moving beat is accepted.
  struct Acceptance {
    std::uint64_t array_cycle;
    std::uint64_t clock_cycle;
  };

  explicit TensorArrayTiming(const arch::TensorArray& array);

  /// Reset: cycle 0 comes next. `ready` as in arch::Traffic.
  void start(std::span<const std::uint8_t> ready = {});

  /// Whether the next load beat's acceptance follows from what is known; false while the tile that
  /// it replaces has not had its last vector.
  [[nodiscard]] bool can_load() const { return rules_.earliest_load() != arch::Acceptance::never; }
  /// Whether the next moving beat's acceptance follows from what is known; false while its tile is
  /// not loaded.
  [[nodiscard]] bool can_multiply() const {
    return rules_.earliest_moving(true) != arch::Acceptance::never;
  }

  /// The clock cycle in which the next load beat is accepted, offered from clock cycle `offered`
  /// on.
  std::uint64_t load(std::uint64_t offered) {
    assert(can_load());
    const auto earliest = static_cast<std::uint64_t>(rules_.earliest_load());
    const std::uint64_t cycle = clock_.first_cycle(earliest, offered, load_reader_);
    rules_.accept_load(static_cast<std::int64_t>(cycle));
    return clock_.clock_cycle(cycle, load_reader_);
  }

  /// Accepts all load beats of a tile, offered back to back from clock cycle `offered` on to an
  /// array whose sink is always ready. The first is accepted in the cycle returned (array and clock
  /// cycles are the same then), the others in those that follow.
  std::uint64_t load_run(std::uint64_t offered) {
    assert(always_ready() && can_load());
    const auto first =
        std::max<std::int64_t>(rules_.earliest_load(), static_cast<std::int64_t>(offered));
    for (int beat = 0; beat < constants_.load_beats; ++beat) rules_.accept_load(first + beat);
    return static_cast<std::uint64_t>(first);
  }

  /// Accepts the next moving beat (output stationary: step), offered from clock cycle `offered` on.
  Acceptance multiply(std::uint64_t offered, bool last) {
    assert(can_multiply());
    // Between the first and the last beat of a tile no rule limits the stream: the rules need to
    // hear of the last one only.
    std::uint64_t earliest = next_moving_;
    if (last || first_) {
      earliest = std::max(earliest, static_cast<std::uint64_t>(rules_.earliest_moving(last)));
    }
    const std::uint64_t cycle = clock_.first_cycle(earliest, offered, moving_reader);
    if (last) rules_.accept_moving(static_cast<std::int64_t>(cycle), true);
    first_ = last;
    next_moving_ = cycle + 1;
    if (last || results_per_vector_) clock_.occupy(cycle + latency_, occupied_cycles_);
    return {cycle, clock_.clock_cycle(cycle, moving_reader)};
  }

  /// Accepts `beats` moving beats, none of them the last of its tile, offered back to back from
  /// clock cycle `offered` on to an array whose sink is always ready. The first is accepted in the
  /// cycle returned (array and clock cycles are the same then), the others in those that follow.
  std::uint64_t multiply_run(std::uint64_t offered, std::uint64_t beats) {
    assert(always_ready() && beats > 0);
    const std::uint64_t first = multiply(offered, false).clock_cycle;
    next_moving_ = first + beats;
    return first;
  }

  /// The clock cycle in which a group of columns leaves.
  /// @param accepted array cycle in which the vector (output stationary: last step) was accepted
  /// @param index    output stationary: 0 .. ROWS - 1, the bottom row first; otherwise 0
  /// @param group    0 .. column_groups() - 1
  std::uint64_t result(std::uint64_t accepted, std::uint64_t index, std::size_t group) {
    return clock_.clock_cycle(accepted + latency_ + index + group, first_result_reader + group);
  }

  /// Frees what only past beats needed; call between tiles.
  void forget() { clock_.forget(); }

  [[nodiscard]] bool always_ready() const { return clock_.always_ready(); }
  /// Groups of columns that leave together (Prediction::column_groups).
  [[nodiscard]] std::size_t column_groups() const { return column_groups_; }
  [[nodiscard]] const arch::ArrayTiming& constants() const { return constants_; }

 private:
  static constexpr std::size_t moving_reader = 0;
  static constexpr std::size_t first_result_reader = 1;

  arch::TensorArray array_;
  arch::ArrayTiming constants_;
  arch::Acceptance rules_;
  std::size_t column_groups_;
  std::size_t load_reader_;
  ArrayClock clock_;
  std::uint64_t latency_;          // from acceptance to column group 0 of the first result
  std::uint64_t occupied_cycles_;  // array cycles in which the results of one acceptance are valid
  bool results_per_vector_;        // or else per tile
  bool first_ = true;              // the next moving beat is the first of a tile
  std::uint64_t next_moving_ = 0;  // one moving beat a cycle
};

}  // namespace weft::models
