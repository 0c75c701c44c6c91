// SPDX-License-Identifier: Apache-2.0
#include "arch/numerics/array_pass.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "arch/numerics/integer.h"

namespace weft::arch {
namespace {

using Exact = boost::multiprecision::checked_int256_t;

/// A product, added without bounds and then folded into the accumulator's range by remainders.
Exact fold(Exact sum, const TensorArray& array) {
  const Exact range = Exact(1) << array.accumulator_width;
  const Exact low = array.accumulator_signed() ? Exact(-range / 2) : Exact(0);
  const Exact high = low + range - 1;
  if (array.overflow == Overflow::saturate) return std::clamp(sum, low, high);
  while (sum < low) sum += range;
  while (sum > high) sum -= range;
  return sum;
}

TensorArray any_array(Dataflow dataflow) {
  TensorArray array;
  array.dataflow = dataflow;
  array.rows = *rc::gen::inRange(1, 6);
  array.cols = *rc::gen::inRange(1, 6);
  array.macs_per_pe = *rc::gen::element(1, 2, 4);
  array.moving_format = {*rc::gen::inRange(2, 5), *rc::gen::arbitrary<bool>()};
  array.stationary_format = {*rc::gen::inRange(2, 5), *rc::gen::arbitrary<bool>()};
  array.accumulator_width = *rc::gen::inRange(3, 14);
  array.overflow = *rc::gen::element(Overflow::wrap, Overflow::saturate);
  return array;
}

std::vector<std::int32_t> any_operands(const IntFormat& format, int count) {
  return *rc::gen::container<std::vector<std::int32_t>>(
      static_cast<std::size_t>(count),
      rc::gen::inRange<std::int32_t>(static_cast<std::int32_t>(format.min()),
                                     static_cast<std::int32_t>(format.max()) + 1));
}

/// Of an element in a row-major matrix.
std::size_t index(int row, int cols, int col) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(cols) +
         static_cast<std::size_t>(col);
}

RC_GTEST_PROP(ArrayPass, WeightAndInputStationary, (bool input_stationary)) {
  const TensorArray array =
      any_array(input_stationary ? Dataflow::input_stationary : Dataflow::weight_stationary);
  const int depth = array.rows * array.macs_per_pe;
  Tile tile;
  tile.beats = *rc::gen::inRange(1, 5);
  tile.stationary = any_operands(array.stationary_format, depth * array.cols);
  tile.moving = any_operands(array.moving_format, depth * tile.beats);

  const Sums results = array_pass(array, tile);
  RC_ASSERT(results.rows() == tile.beats);
  const auto x = [&](int beat, int k) { return tile.moving.at(index(beat, depth, k)); };
  const auto w = [&](int k, int c) { return tile.stationary.at(index(k, array.cols, c)); };
  for (int i = 0; i < tile.beats; ++i) {
    for (int c = 0; c < array.cols; ++c) {
      Exact sum = 0;
      for (int r = 0; r < array.rows; ++r) {
        Exact contribution = 0;
        for (int m = 0; m < array.macs_per_pe; ++m) {
          const int k = r * array.macs_per_pe + m;
          contribution += Exact(x(i, k)) * w(k, c);
        }
        sum = fold(sum + contribution, array);
      }
      RC_ASSERT(Exact(results(i, c)) == sum);
    }
  }
}

RC_GTEST_PROP(ArrayPass, OutputStationary, ()) {
  const TensorArray array = any_array(Dataflow::output_stationary);
  const int macs = array.macs_per_pe;
  Tile tile;
  tile.beats = *rc::gen::inRange(1, 12);
  tile.stationary = any_operands(array.stationary_format, tile.beats * array.cols * macs);
  tile.moving = any_operands(array.moving_format, tile.beats * array.rows * macs);

  const Sums results = array_pass(array, tile);
  RC_ASSERT(results.rows() == array.rows);
  const auto x = [&](int beat, int lane) {
    return tile.moving.at(index(beat, array.rows * macs, lane));
  };
  const auto w = [&](int beat, int lane) {
    return tile.stationary.at(index(beat, array.cols * macs, lane));
  };
  for (int r = 0; r < array.rows; ++r) {
    for (int c = 0; c < array.cols; ++c) {
      Exact sum = 0;
      for (int t = 0; t < tile.beats; ++t) {
        Exact contribution = 0;
        for (int m = 0; m < macs; ++m) {
          contribution += Exact(x(t, r * macs + m)) * w(t, c * macs + m);
        }
        sum = fold(sum + contribution, array);
      }
      RC_ASSERT(Exact(results(array.rows - 1 - r, c)) == sum);
    }
  }
}

// Saturation is not associative: the order of summation shows.
TEST(ArrayPass, RowsSaturateInOrderFromTheTop) {
  TensorArray array;
  array.rows = 3;
  array.cols = 1;
  array.accumulator_width = 8;
  array.overflow = Overflow::saturate;
  const Tile tile{1, {100, 100, -100}, {1, 1, 1}, {0}};
  EXPECT_EQ(array_pass(array, tile)(0, 0), 27);  // 100, 127, 27
}

}  // namespace
}  // namespace weft::arch
