// SPDX-License-Identifier: Apache-2.0
#include "arch/workload/mapping.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <tuple>
#include <vector>

#include "arch/numerics/integer.h"

namespace weft::arch {
namespace {

TensorArray any_array() {
  TensorArray array;
  array.rows = *rc::gen::inRange(1, 7);
  array.cols = *rc::gen::inRange(1, 7);
  array.macs_per_pe = *rc::gen::element(1, 2, 4);
  array.dataflow = *rc::gen::element(Dataflow::weight_stationary, Dataflow::input_stationary,
                                     Dataflow::output_stationary);
  array.moving_format = {3, true};
  array.stationary_format = {6, false};
  array.accumulator_width = 20;
  return array;
}

Gemm any_gemm() {
  return {*rc::gen::inRange(1, 20), *rc::gen::inRange(1, 20), *rc::gen::inRange(1, 20)};
}

Operands any_operands(std::int64_t rows, std::int64_t cols, const IntFormat& format) {
  Operands matrix(rows, cols);
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols; ++c) {
      matrix(r, c) = *rc::gen::inRange(static_cast<std::int32_t>(format.min()),
                                       static_cast<std::int32_t>(format.max()) + 1);
    }
  }
  return matrix;
}

RC_GTEST_PROP(GemmMapping, TilesCoverEveryProductOnceAndFitTheArray, ()) {
  const TensorArray array = any_array();
  const Gemm gemm = any_gemm();
  const GemmMapping mapping(array, gemm);
  std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> done;
  for (std::int64_t index = 0; index < mapping.run().tiles; ++index) {
    const TileBlock block = mapping.block(index);
    const std::int64_t depth = std::int64_t{array.rows} * array.macs_per_pe;
    switch (array.dataflow) {
      case Dataflow::weight_stationary:
        RC_ASSERT(block.k.size() <= depth && block.n.size() <= array.cols);
        break;
      case Dataflow::input_stationary:
        RC_ASSERT(block.k.size() <= depth && block.m.size() <= array.cols);
        break;
      case Dataflow::output_stationary:
        RC_ASSERT(block.m.size() <= array.rows && block.n.size() <= array.cols);
        break;
    }
    for (std::int64_t m = block.m.begin; m < block.m.end; ++m) {
      for (std::int64_t n = block.n.begin; n < block.n.end; ++n) {
        for (std::int64_t k = block.k.begin; k < block.k.end; ++k) {
          RC_ASSERT(done.emplace(m, n, k).second);
        }
      }
    }
  }
  RC_ASSERT(static_cast<std::int64_t>(done.size()) == gemm.m * gemm.n * gemm.k);
}

RC_GTEST_PROP(GemmMapping, GoldenGemmIsTheMatrixProduct, ()) {
  const TensorArray array = any_array();
  const Gemm gemm = any_gemm();
  const GemmMapping mapping(array, gemm);
  const Operands a = any_operands(gemm.m, gemm.k, mapping.a_format());
  const Operands b = any_operands(gemm.k, gemm.n, mapping.b_format());
  const Sums c = golden_gemm(array, a, b);
  for (std::int64_t m = 0; m < gemm.m; ++m) {
    for (std::int64_t n = 0; n < gemm.n; ++n) {
      std::int64_t exact = 0;
      for (std::int64_t k = 0; k < gemm.k; ++k) exact += std::int64_t{a(m, k)} * b(k, n);
      RC_ASSERT(c(m, n) == exact);
    }
  }
}

RC_GTEST_PROP(GemmMapping, TileDataHasTheSizesAndFormatsOfTheStreams, ()) {
  TensorArray array = any_array();
  array.tag_width = 2;
  const Gemm gemm = any_gemm();
  const GemmMapping mapping(array, gemm);
  const Operands a = any_operands(gemm.m, gemm.k, mapping.a_format());
  const Operands b = any_operands(gemm.k, gemm.n, mapping.b_format());
  for (std::int64_t index = 0; index < mapping.run().tiles; ++index) {
    const Tile tile = mapping.tile(index, a, b);
    const std::int64_t depth = std::int64_t{array.rows} * array.macs_per_pe;
    const std::int64_t stationary = array.output_stationary()
                                        ? std::int64_t{tile.beats} * array.cols * array.macs_per_pe
                                        : depth * array.cols;
    RC_ASSERT(tile.beats == mapping.run().beats);
    RC_ASSERT(static_cast<std::int64_t>(tile.moving.size()) == tile.beats * depth);
    RC_ASSERT(static_cast<std::int64_t>(tile.stationary.size()) == stationary);
    RC_ASSERT(static_cast<int>(tile.tags.size()) == tile.beats);
    for (const auto value : tile.moving) RC_ASSERT(representable(value, array.moving_format));
    for (const auto value : tile.stationary)
      RC_ASSERT(representable(value, array.stationary_format));
    for (const auto tag : tile.tags) RC_ASSERT(tag < 4U);
  }
}

RC_GTEST_PROP(GemmMapping, ResultsOfPaddingGoNowhere, ()) {
  const TensorArray array = any_array();
  const Gemm gemm = any_gemm();
  const GemmMapping mapping(array, gemm);
  const std::vector<std::int64_t> ones(static_cast<std::size_t>(array.cols), 1);
  Sums c(gemm.m + array.rows + array.cols, gemm.n + array.rows + array.cols);
  for (std::int64_t index = 0; index < mapping.run().tiles; ++index) {
    const std::int64_t vectors = array.output_stationary() ? array.rows : mapping.run().beats;
    for (std::int64_t vector = 0; vector < vectors; ++vector)
      mapping.add_result(index, vector, ones, c);
  }
  for (std::int64_t m = 0; m < c.rows(); ++m) {
    for (std::int64_t n = 0; n < c.cols(); ++n)
      RC_ASSERT((c(m, n) > 0) == (m < gemm.m && n < gemm.n));
  }
}

// Counted by hand: B is 5 x 3 on a 4 x 2 array, so 2 x 2 tiles, and the reduction runs innermost.
TEST(GemmMapping, WeightStationaryTilesInOrder) {
  TensorArray array;
  array.rows = 4;
  array.cols = 2;
  const GemmMapping mapping(array, {7, 3, 5});
  EXPECT_EQ(mapping.run().tiles, 4);
  EXPECT_EQ(mapping.run().beats, 7);
  EXPECT_EQ(mapping.block(0), (TileBlock{{0, 7}, {0, 2}, {0, 4}}));
  EXPECT_EQ(mapping.block(1), (TileBlock{{0, 7}, {0, 2}, {4, 5}}));
  EXPECT_EQ(mapping.block(2), (TileBlock{{0, 7}, {2, 3}, {0, 4}}));
  EXPECT_EQ(mapping.block(3), (TileBlock{{0, 7}, {2, 3}, {4, 5}}));
}

// One tile saturates at 4 bits; sums of tiles do not.
TEST(GemmMapping, TilesOverflowInTheArrayAndAddUpOutsideIt) {
  TensorArray array;
  array.rows = 1;
  array.cols = 1;
  array.accumulator_width = 4;
  array.overflow = Overflow::saturate;
  Operands a(1, 3);
  Operands b(3, 1);
  for (std::int64_t k = 0; k < 3; ++k) {
    a(0, k) = 10;
    b(k, 0) = 1;
  }
  EXPECT_EQ(golden_gemm(array, a, b)(0, 0), 21);
}

}  // namespace
}  // namespace weft::arch
