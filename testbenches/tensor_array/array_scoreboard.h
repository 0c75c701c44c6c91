// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arch/tensor_array.h"
#include "systemc_models/tensor_array_predictor.h"
#include "verif/dut.h"
#include "verif/dut_description.h"

namespace weft::verif {

/// What is expected of some consecutive tiles.
struct Expectation {
  models::Prediction prediction;
  std::vector<int> beats;  ///< moving beats of each tile
  std::uint64_t first_tile = 0;

  void clear();
};

/// What a scoreboard counted.
struct ScoreboardTotals {
  std::uint64_t elements = 0;          ///< result elements compared
  std::uint64_t mismatches = 0;        ///< elements, tags, last bits and beats that were wrong
  std::uint64_t cycle_mismatches = 0;  ///< beats, of results or inputs, that moved in a wrong cycle
};

/// Compares what an array did with what the model says, in the order in which it happens: every
/// result element, tag and last bit, the clock cycle of every result (with external skew: of every
/// column) and of every accepted input beat.
class ArrayScoreboard {
 public:
  ArrayScoreboard(const arch::TensorArray& array, const DutDescription& dut);

  /// Forgets what is still expected; totals and the first mismatch stay.
  void restart();

  /// A cleared expectation for the next tiles, to be filled before anything of them is compared.
  /// It stays valid until all of it was compared or restart().
  Expectation& expect();

  /// The beats that the result sink took since the last call.
  void compare_results(const SinkLog& log);
  /// The clock cycles in which the next beats of a source (ArrayStream) were accepted.
  void compare_accepted(std::size_t source, std::span<const std::uint64_t> cycles);
  /// The experiment is over: whatever is still expected is missing, unless the reset in clock cycle
  /// `cut` was before it.
  void finish(std::optional<std::uint64_t> cut = std::nullopt);

  [[nodiscard]] const ScoreboardTotals& totals() const { return totals_; }
  /// The first mismatch: which tile, vector and element, expected, got, cycle. Empty while there is
  /// none.
  [[nodiscard]] const std::string& first_mismatch() const { return first_mismatch_; }

 private:
  /// How far something was compared.
  struct Cursor {
    std::size_t expectation = 0;
    std::size_t index = 0;
  };
  struct Place {
    std::uint64_t tile;
    std::uint64_t beat;
  };

  [[nodiscard]] const Expectation* current(Cursor& cursor, std::size_t (*size)(const Expectation&));
  /// The tile and the beat in it of beat `beat`. Every tile has `beats_of_tile` beats; 0: as many
  /// as it has moving beats.
  [[nodiscard]] static Place place(const Expectation& expectation, std::size_t beat,
                                   std::size_t beats_of_tile);
  void compare_result(const Expectation& expectation, std::size_t index, const SinkLog& log,
                      std::size_t beat);
  void report_elements(const Expectation& expectation, std::size_t index, const std::uint8_t* got,
                       std::uint64_t cycle);
  void mismatch(std::uint64_t& counter, const std::string& text);
  void drop_compared();

  arch::TensorArray array_;
  std::size_t load_beats_;    ///< of a tile; 0 for output stationary
  std::size_t tile_results_;  ///< of a tile, when it is not the number of moving beats; else 0
  BeatLayout result_;
  std::size_t groups_;
  std::deque<std::unique_ptr<Expectation>> expected_;
  std::vector<std::unique_ptr<Expectation>> spare_;
  Cursor results_;
  std::array<Cursor, 2> accepted_;
  std::vector<std::uint8_t> packed_;
  std::uint64_t faults_ = 0;
  ScoreboardTotals totals_;
  std::string first_mismatch_;
};

}  // namespace weft::verif
