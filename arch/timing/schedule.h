// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/timing/array_timing.h"

namespace weft::arch {

/// `tiles` consecutive tiles with the same number of moving beats.
struct TileRun {
  std::int64_t beats = 1;  ///< moving vectors, or output-stationary steps, of each tile; >= 1
  std::int64_t tiles = 1;  ///< >= 1
};

/// The array cycles at which things happen to one tile.
struct TileTimes {
  std::int64_t first_load = 0;  ///< first load beat; output stationary: the first step
  std::int64_t switched = 0;    ///< first cycle in which the tile is in use (s); output stationary:
                                ///< the first step
  std::int64_t first_moving = 0;  ///< first moving vector or step
  std::int64_t last_moving = 0;   ///< last moving vector or step (e)
  std::int64_t first_result = 0;  ///< first result vector, all its columns
  std::int64_t last_result = 0;   ///< last result vector, all its columns

  bool operator==(const TileTimes&) const = default;
};

/// The exact course of runs of tiles on an array when nothing outside holds it up: both input
/// streams always offer their next beat, results are always taken. Every beat is then accepted in
/// the first array cycle that the contract allows, and everything follows in closed form: a query
/// costs O(log runs), whatever the number of tiles.
///
/// A tile of N beats delays the next by the same distance, whichever tile it is:
///
///     weight, input stationary   2 buffers: max(N, B + G)   1 buffer: N + G + B
///     output stationary          2 buffers: max(N, ROWS)    1 buffer: N + ROWS
///
/// docs/workloads.md derives these from the rules of docs/tensor_array.md.
class Schedule {
 public:
  explicit Schedule(const TensorArray& array);
  Schedule(const TensorArray& array, const std::vector<TileRun>& runs);

  /// Adds a run behind what is scheduled already.
  void append(const TileRun& run);

  [[nodiscard]] std::int64_t tiles() const { return tiles_; }
  /// The times of tile `index`, 0 .. tiles() - 1.
  [[nodiscard]] TileTimes tile(std::int64_t index) const;
  /// Array cycles from cycle 0 up to and including the one that delivers the last result; 0 without
  /// tiles.
  [[nodiscard]] std::int64_t cycles() const;
  /// cycles() of a schedule that consists of this run alone.
  [[nodiscard]] std::int64_t cycles_of(const TileRun& run) const;
  /// Distance of consecutive tiles when the first of them has `beats` moving beats.
  [[nodiscard]] std::int64_t period(std::int64_t beats) const;
  [[nodiscard]] const ArrayTiming& timing() const { return timing_; }

 private:
  struct PlacedRun {
    /// Index of the run's first tile.
    std::int64_t first_tile = 0;
    /// That tile's switch, or (output stationary) the last step before it.
    std::int64_t origin = 0;
    TileRun run;
  };

  [[nodiscard]] std::int64_t last_result(std::int64_t begin, std::int64_t beats) const;

  ArrayTiming timing_;
  int rows_;
  bool output_stationary_;
  bool double_buffered_;
  std::vector<PlacedRun> runs_;
  std::int64_t tiles_ = 0;
  std::int64_t first_origin_;
  std::int64_t next_origin_;
};

}  // namespace weft::arch
