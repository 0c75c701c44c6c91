// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace weft::arch {

/// The work of one stationary tile (weight and input stationary) or one output tile (output
/// stationary). Elements are stored one per int32, already within their format's range.
struct Tile {
  int beats = 0;  ///< moving beats: vectors (weight, input stationary) or steps (output stationary)

  /// Weight, input stationary: [ROWS * MACS][COLS], the reduction index first.
  /// Output stationary: [beats][COLS][MACS].
  std::vector<std::int32_t> stationary;
  std::vector<std::int32_t> moving;  ///< [beats][ROWS][MACS]
  std::vector<std::uint64_t> tags;   ///< [beats], below 2^tag_width
};

/// A closed experiment on a tensor array: what is offered, when, and when results are taken.
/// It determines every output of the array in every cycle.
///
/// A source raises valid `gap` clock cycles after its previous beat was accepted (gap 0: in the
/// very next cycle; the first beat: `gap` cycles after cycle 0, the first after reset) and holds it
/// until the beat is accepted. Missing entries count as 0. The sink's ready in clock cycle t is
/// ready[t % ready.size()]; an empty pattern is always ready. Gaps and ready count clock cycles,
/// not array cycles. For output stationary both streams have one beat a step.
struct Traffic {
  std::vector<Tile> tiles;
  std::vector<std::uint32_t> stationary_gaps;  ///< per load beat (per step for output stationary)
  std::vector<std::uint32_t> moving_gaps;      ///< per moving beat, over all tiles
  std::vector<std::uint8_t> ready;             ///< 0 or 1; at least one 1 unless empty
};

/// One result vector as it must leave the array.
struct ResultBeat {
  std::uint64_t cycle =
      0;  ///< clock cycle of the transfer (valid and ready), 0 = first after reset
  std::uint64_t tag = 0;
  bool last = false;
  std::vector<std::int64_t> data;  ///< [COLS]
};

}  // namespace weft::arch
