// SPDX-License-Identifier: Apache-2.0
#include "arch/numerics/array_pass.h"

#include <cstddef>
#include <vector>

#include "arch/numerics/integer.h"

namespace weft::arch {
namespace {

/// The elements of beat `index` in a stream of beats of `length` elements.
std::span<const std::int32_t> beat(const std::vector<std::int32_t>& stream, int index, int length) {
  return std::span(stream).subspan(static_cast<std::size_t>(index) * static_cast<std::size_t>(length),
                                   static_cast<std::size_t>(length));
}

std::span<const std::int32_t> lane(std::span<const std::int32_t> elements, int index, int macs) {
  return elements.subspan(static_cast<std::size_t>(index) * static_cast<std::size_t>(macs),
                          static_cast<std::size_t>(macs));
}

}  // namespace

void moving_vector(const TensorArray& array, std::span<const std::int32_t> stationary,
                   std::span<const std::int32_t> moving, std::span<std::int64_t> result) {
  const AccumulatorFormat format = accumulator_format(array);
  const int macs = array.macs_per_pe;
  std::vector<std::int32_t> held(static_cast<std::size_t>(macs));
  for (int c = 0; c < array.cols; ++c) {
    std::int64_t sum = 0;
    for (int r = 0; r < array.rows; ++r) {
      for (int m = 0; m < macs; ++m) {
        held[static_cast<std::size_t>(m)] =
            stationary[static_cast<std::size_t>((r * macs + m) * array.cols + c)];
      }
      sum = accumulate(sum, dot(lane(moving, r, macs), held), format);
    }
    result[static_cast<std::size_t>(c)] = sum;
  }
}

void accumulate_step(const TensorArray& array, std::span<const std::int32_t> stationary,
                     std::span<const std::int32_t> moving, Sums& sums) {
  const AccumulatorFormat format = accumulator_format(array);
  const int macs = array.macs_per_pe;
  for (int r = 0; r < array.rows; ++r) {
    for (int c = 0; c < array.cols; ++c) {
      sums(r, c) =
          accumulate(sums(r, c), dot(lane(moving, r, macs), lane(stationary, c, macs)), format);
    }
  }
}

Sums array_pass(const TensorArray& array, const Tile& tile) {
  const int moving_length = array.rows * array.macs_per_pe;
  if (array.output_stationary()) {
    Sums sums(array.rows, array.cols);
    for (int t = 0; t < tile.beats; ++t) {
      accumulate_step(array, beat(tile.stationary, t, array.cols * array.macs_per_pe),
                      beat(tile.moving, t, moving_length), sums);
    }
    Sums drained(array.rows, array.cols);
    for (int r = 0; r < array.rows; ++r) {
      for (int c = 0; c < array.cols; ++c) drained(array.rows - 1 - r, c) = sums(r, c);
    }
    return drained;
  }
  Sums results(tile.beats, array.cols);
  for (int i = 0; i < tile.beats; ++i) {
    moving_vector(array, tile.stationary, beat(tile.moving, i, moving_length), results.row(i));
  }
  return results;
}

}  // namespace weft::arch
