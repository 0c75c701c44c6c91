// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/tensor_array_function.h"

#include "arch/numerics/integer.h"

namespace weft::models {

TensorArrayFunction::TensorArrayFunction(const arch::TensorArray& array)
    : rows_(array.rows),
      cols_(array.cols),
      macs_(array.macs_per_pe),
      gemm_(array.moving_format, array.stationary_format, arch::accumulator_format(array),
            static_cast<std::size_t>(array.macs_per_pe), static_cast<std::size_t>(array.cols)) {}

void TensorArrayFunction::load(std::span<const std::int32_t> stationary) {
  gemm_.load(stationary.data(), static_cast<std::size_t>(rows_),
             {.group = macs_ * cols_, .lane = cols_, .item = 1});
}

void TensorArrayFunction::multiply(std::span<const std::int32_t> moving, std::int64_t* results) {
  const std::ptrdiff_t depth = rows_ * macs_;
  gemm_.multiply(moving.data(), moving.size() / static_cast<std::size_t>(depth),
                 {.group = macs_, .lane = 1, .item = depth}, results, cols_);
}

void TensorArrayFunction::multiply_steps(std::span<const std::int32_t> stationary,
                                         std::span<const std::int32_t> moving,
                                         std::int64_t* results) {
  const std::size_t steps = moving.size() / static_cast<std::size_t>(rows_ * macs_);
  gemm_.load(stationary.data(), steps, {.group = cols_ * macs_, .lane = 1, .item = macs_});
  // Row 0 leaves last.
  gemm_.multiply(moving.data(), static_cast<std::size_t>(rows_),
                 {.group = rows_ * macs_, .lane = 1, .item = macs_}, results + (rows_ - 1) * cols_,
                 -cols_);
}

}  // namespace weft::models
