// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "arch/tensor_array.h"
#include "systemc_models/integer_gemm.h"

namespace weft::models {

/// What a tensor array computes: the layouts of arch::Tile around IntegerGemm. Sizes are trusted.
class TensorArrayFunction {
 public:
  explicit TensorArrayFunction(const arch::TensorArray& array);

  /// Weight, input stationary: takes (copies) a tile, [ROWS * MACS][COLS].
  void load(std::span<const std::int32_t> stationary);
  /// Weight, input stationary: results [vectors][COLS] of moving vectors [vectors][ROWS][MACS].
  void multiply(std::span<const std::int32_t> moving, std::int64_t* results);

  /// Output stationary: results [ROWS][COLS], the bottom row first, of a tile's operands,
  /// [steps][COLS][MACS] and [steps][ROWS][MACS].
  void multiply_steps(std::span<const std::int32_t> stationary,
                      std::span<const std::int32_t> moving, std::int64_t* results);

 private:
  std::ptrdiff_t rows_;
  std::ptrdiff_t cols_;
  std::ptrdiff_t macs_;
  IntegerGemm gemm_;
};

}  // namespace weft::models
