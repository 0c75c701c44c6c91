// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "arch/numerics/matrix.h"
#include "arch/tensor_array.h"
#include "arch/traffic.h"

namespace weft::arch {

/// The result of one moving vector on a weight- or input-stationary array.
/// @param stationary the tile, [ROWS * MACS][COLS]
/// @param moving     ROWS * MACS elements
/// @param result     COLS accumulators: from row 0 down, each row adds its exact MACS-element dot
///                   product and the sum overflows as the array does, row by row
void moving_vector(const TensorArray& array, std::span<const std::int32_t> stationary,
                   std::span<const std::int32_t> moving, std::span<std::int64_t> result);

/// One step of an output-stationary array.
/// @param stationary COLS * MACS elements
/// @param moving     ROWS * MACS elements
/// @param sums       [ROWS][COLS] accumulators, updated
void accumulate_step(const TensorArray& array, std::span<const std::int32_t> stationary,
                     std::span<const std::int32_t> moving, Sums& sums);

/// All result vectors of a tile, COLS wide, in the order in which they leave the array: one for
/// each moving vector, or (output stationary) ROWS of them, the bottom row first.
[[nodiscard]] Sums array_pass(const TensorArray& array, const Tile& tile);

}  // namespace weft::arch
