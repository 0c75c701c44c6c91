// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "arch/tensor_array.h"
#include "arch/traffic.h"
#include "systemc_models/tensor_array_function.h"
#include "systemc_models/tensor_array_timing.h"

namespace weft::models {

/// A tensor array that is driven command by command: function and timing, in clock cycles. Results
/// are taken by a sink that is always ready, so the two input streams do not see each other but
/// through the acceptance rules, and commands may be given in any order that `can_load` and
/// `can_multiply` allow, even out of order of time. The beats of a command are offered from a clock
/// cycle on, the next as soon as one is accepted. Sizes and elements are trusted.
class TensorArrayEngine {
 public:
  using Cycles = std::vector<std::uint64_t>;  ///< clock cycles, 0 is the first after reset

  explicit TensorArrayEngine(const arch::TensorArray& array);

  /// False while a load would overwrite a tile that still waits for vectors.
  [[nodiscard]] bool can_load() const { return timing_.can_load(); }
  /// False while there is no tile to multiply with.
  [[nodiscard]] bool can_multiply() const { return timing_.can_multiply(); }

  /// Loads a tile, [ROWS * MACS][COLS]. Returns the acceptance of each load beat.
  Cycles load(std::span<const std::int32_t> stationary, std::uint64_t offered);

  /// Multiplies vectors [vectors][ROWS][MACS] with the tile; `last`: the last of them is the last
  /// that uses it. Missing tags are 0. Returns the acceptance of each vector.
  Cycles multiply(std::span<const std::int32_t> moving, std::span<const std::uint64_t> tags,
                  bool last, std::uint64_t offered);

  /// Output stationary steps: `beats` is [steps][(ROWS + COLS) * MACS], in each step the moving
  /// elements before the stationary ones. Returns the acceptance of each step.
  Cycles step(std::span<const std::int32_t> beats, std::span<const std::uint64_t> tags, bool last,
              std::uint64_t offered);

  /// Results that nobody took yet, in order; their cycle is that of column 0.
  [[nodiscard]] const std::deque<arch::ResultBeat>& results() const { return results_; }
  arch::ResultBeat take();

 private:
  void add_result(std::span<const std::int64_t> data, std::uint64_t accepted, std::uint64_t index,
                  std::uint64_t tag, bool last);

  std::size_t rows_;
  std::size_t cols_;
  std::size_t macs_;
  TensorArrayTiming timing_;
  TensorArrayFunction function_;
  std::deque<std::vector<std::int32_t>> waiting_tiles_;  // loaded, no vector yet
  bool tile_in_use_ = false;
  // Output stationary: the steps of the current tile so far.
  std::vector<std::int32_t> step_stationary_;
  std::vector<std::int32_t> step_moving_;
  std::deque<arch::ResultBeat> results_;
};

}  // namespace weft::models
