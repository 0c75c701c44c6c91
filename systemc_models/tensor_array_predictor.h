// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "arch/tensor_array.h"
#include "arch/traffic.h"

namespace weft::models {

/// What a tensor array does in an experiment, as flat arrays. All cycles are clock cycles, 0 is the
/// first after reset; a beat's cycle is the one in which it moves (valid and ready).
struct Prediction {
  int cols = 0;  ///< elements of a result

  /// Groups of columns that leave in the same cycle. Internal skew: 1. External skew: HC + 1,
  /// column c is in group h(c) = floor(c / pe_registers).
  int column_groups = 1;

  /// Acceptance of each load beat (output stationary: of each step), in order.
  std::vector<std::uint64_t> stationary_cycles;
  /// Acceptance of each moving beat, in order. Output stationary: equal to stationary_cycles.
  std::vector<std::uint64_t> moving_cycles;

  std::vector<std::uint64_t> result_cycles;  ///< [results][column_groups]
  std::vector<std::uint64_t> result_tags;    ///< [results]
  std::vector<std::uint8_t> result_last;     ///< [results], 0 or 1
  std::vector<std::int64_t> result_data;     ///< [results][cols]; empty for timing only

  /// Clock cycles up to and including the last result's last column, or up to the reset.
  std::uint64_t cycles = 0;

  [[nodiscard]] std::size_t results() const { return result_tags.size(); }
  /// Result i as one object (for messages); its cycle is that of column 0.
  [[nodiscard]] arch::ResultBeat result(std::size_t i) const;
  /// Forgets everything, keeps the memory.
  void clear();
};

/// Predicts every output of a tensor array in every clock cycle, from the contract in
/// docs/tensor_array.md: back pressure, gaps, all dataflows, buffers and skews.
///
///     TensorArrayPredictor predictor(array);
///     Prediction prediction;
///     predictor.predict(traffic, prediction);
///
/// Experiments too long to hold are streamed, tile by tile; results may be consumed between:
///
///     predictor.start(ready);
///     for (...) {
///       predictor.append(tile, stationary_gaps, moving_gaps, prediction);
///       ... compare, then prediction.clear();
///     }
///
/// The results of a tile depend on no later tile, so those that `append` gives are final.
class TensorArrayPredictor {
 public:
  enum class Content {
    timing,  ///< cycles, tags and last only; the tiles' elements are not read and may be missing
    data,    ///< everything
  };

  explicit TensorArrayPredictor(const arch::TensorArray& array, Content content = Content::data);
  ~TensorArrayPredictor();
  TensorArrayPredictor(TensorArrayPredictor&&) noexcept;
  TensorArrayPredictor& operator=(TensorArrayPredictor&&) noexcept;

  /// Predicts an experiment from reset on; replaces what `out` held. With `reset_cycle`, reset
  /// falls in that clock cycle: only beats that moved in earlier cycles are reported (for external
  /// skew, a result of which column 0 moved; its later columns' cycles may be at or after the
  /// reset). Throws std::invalid_argument when a tile's sizes do not fit the array.
  void predict(const arch::Traffic& traffic, Prediction& out,
               std::optional<std::uint64_t> reset_cycle = std::nullopt);

  /// Starts an experiment at cycle 0 with this pattern of the sink's ready (as Traffic::ready).
  void start(std::span<const std::uint8_t> ready);

  /// Offers one more tile; gaps as in Traffic, of this tile's beats only. Appends to `out`.
  void append(const arch::Tile& tile, std::span<const std::uint32_t> stationary_gaps,
              std::span<const std::uint32_t> moving_gaps, Prediction& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft::models
