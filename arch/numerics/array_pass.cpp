// SPDX-License-Identifier: Apache-2.0
#include "arch/numerics/array_pass.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "arch/numerics/integer.h"

namespace weft::arch {
namespace {

/// Part `index` of elements that come in parts of `size`: a beat of a stream, a PE's lane of a
/// beat.
std::span<const std::int32_t> part(std::span<const std::int32_t> elements, std::size_t index,
                                   std::size_t size) {
  return elements.subspan(index * size, size);
}

struct Sizes {
  explicit Sizes(const TensorArray& array)
      : rows(static_cast<std::size_t>(array.rows)),
        cols(static_cast<std::size_t>(array.cols)),
        macs(static_cast<std::size_t>(array.macs_per_pe)) {}
  std::size_t rows;
  std::size_t cols;
  std::size_t macs;
};

}  // namespace

void moving_vector(const TensorArray& array, std::span<const std::int32_t> stationary,
                   std::span<const std::int32_t> moving, std::span<std::int64_t> result) {
  const AccumulatorFormat format = accumulator_format(array);
  const Sizes size(array);
  std::vector<std::int32_t> held(size.macs);  // in one PE
  for (std::size_t c = 0; c < size.cols; ++c) {
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < size.rows; ++r) {
      for (std::size_t m = 0; m < size.macs; ++m) {
        held[m] = stationary[(r * size.macs + m) * size.cols + c];
      }
      sum = accumulate(sum, dot(part(moving, r, size.macs), held), format);
    }
    result[c] = sum;
  }
}

void accumulate_step(const TensorArray& array, std::span<const std::int32_t> stationary,
                     std::span<const std::int32_t> moving, Sums& sums) {
  const AccumulatorFormat format = accumulator_format(array);
  const Sizes size(array);
  for (std::size_t r = 0; r < size.rows; ++r) {
    const std::span<std::int64_t> row = sums.row(static_cast<std::int64_t>(r));
    for (std::size_t c = 0; c < size.cols; ++c) {
      row[c] = accumulate(row[c], dot(part(moving, r, size.macs), part(stationary, c, size.macs)),
                          format);
    }
  }
}

Sums array_pass(const TensorArray& array, const Tile& tile) {
  const Sizes size(array);
  const auto beats = static_cast<std::size_t>(tile.beats);
  const auto moving = [&](std::size_t beat) {
    return part(tile.moving, beat, size.rows * size.macs);
  };
  if (array.output_stationary()) {
    Sums sums(array.rows, array.cols);
    for (std::size_t t = 0; t < beats; ++t) {
      accumulate_step(array, part(tile.stationary, t, size.cols * size.macs), moving(t), sums);
    }
    Sums drained(array.rows, array.cols);
    for (int r = 0; r < array.rows; ++r) {
      std::ranges::copy(sums.row(r), drained.row(array.rows - 1 - r).begin());
    }
    return drained;
  }
  Sums results(tile.beats, array.cols);
  for (std::size_t i = 0; i < beats; ++i) {
    moving_vector(array, tile.stationary, moving(i), results.row(static_cast<std::int64_t>(i)));
  }
  return results;
}

}  // namespace weft::arch
