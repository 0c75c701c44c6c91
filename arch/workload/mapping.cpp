// SPDX-License-Identifier: Apache-2.0
#include "arch/workload/mapping.h"

#include <algorithm>
#include <cstddef>

#include "arch/numerics/array_pass.h"

namespace weft::arch {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Part `index` of `total` indices cut into parts of `size`.
IndexRange part(std::int64_t index, std::int64_t size, std::int64_t total) {
  return {index * size, std::min((index + 1) * size, total)};
}

/// How a product is cut into tiles.
struct Cut {
  std::int64_t beats = 0;
  std::int64_t outer_tiles = 0;
  std::int64_t inner_tiles = 0;
};

Cut cut_of(const TensorArray& array, const Gemm& gemm) {
  const std::int64_t depth = array.depth();
  switch (array.dataflow) {
    case Dataflow::weight_stationary:
      return {gemm.m, ceil_div(gemm.n, array.cols), ceil_div(gemm.k, depth)};
    case Dataflow::input_stationary:
      return {gemm.n, ceil_div(gemm.m, array.cols), ceil_div(gemm.k, depth)};
    case Dataflow::output_stationary:
      break;
  }
  return {ceil_div(gemm.k, array.macs_per_pe), ceil_div(gemm.m, array.rows),
          ceil_div(gemm.n, array.cols)};
}

/// An element of a matrix; 0 outside.
std::int32_t element(const Operands& matrix, std::int64_t row, std::int64_t col) {
  return row < matrix.rows() && col < matrix.cols() ? matrix(row, col) : 0;
}

}  // namespace

GemmMapping::GemmMapping(const TensorArray& array, const Gemm& gemm) : array_(array), gemm_(gemm) {
  const Cut cut = cut_of(array, gemm);
  beats_ = cut.beats;
  outer_tiles_ = cut.outer_tiles;
  inner_tiles_ = cut.inner_tiles;
}

TileRun tile_run(const TensorArray& array, const Gemm& gemm) {
  const Cut cut = cut_of(array, gemm);
  return {cut.beats, cut.outer_tiles * cut.inner_tiles};
}

IntFormat GemmMapping::a_format() const {
  return array_.dataflow == Dataflow::input_stationary ? array_.stationary_format
                                                       : array_.moving_format;
}

IntFormat GemmMapping::b_format() const {
  return array_.dataflow == Dataflow::input_stationary ? array_.moving_format
                                                       : array_.stationary_format;
}

TileBlock GemmMapping::block(std::int64_t index) const {
  const std::int64_t outer = index / inner_tiles_;
  const std::int64_t inner = index % inner_tiles_;
  const std::int64_t depth = array_.depth();
  switch (array_.dataflow) {
    case Dataflow::weight_stationary:
      return {{0, gemm_.m}, part(outer, array_.cols, gemm_.n), part(inner, depth, gemm_.k)};
    case Dataflow::input_stationary:
      return {part(outer, array_.cols, gemm_.m), {0, gemm_.n}, part(inner, depth, gemm_.k)};
    case Dataflow::output_stationary:
      break;
  }
  return {part(outer, array_.rows, gemm_.m), part(inner, array_.cols, gemm_.n), {0, gemm_.k}};
}

Tile GemmMapping::tile(std::int64_t index, const Operands& a, const Operands& b) const {
  const TileBlock at = block(index);
  const std::int64_t macs = array_.macs_per_pe;
  Tile tile;
  tile.beats = static_cast<int>(beats_);
  const std::uint64_t tag_mask = (std::uint64_t{1} << array_.tag_width) - 1;
  for (std::int64_t beat = 0; beat < beats_; ++beat) {
    tile.tags.push_back(static_cast<std::uint64_t>(beat) & tag_mask);
  }

  if (array_.output_stationary()) {
    for (std::int64_t beat = 0; beat < beats_; ++beat) {
      for (std::int64_t i = 0; i < array_.rows * macs; ++i) {
        tile.moving.push_back(element(a, at.m.begin + i / macs, beat * macs + i % macs));
      }
      for (std::int64_t i = 0; i < array_.cols * macs; ++i) {
        tile.stationary.push_back(element(b, beat * macs + i % macs, at.n.begin + i / macs));
      }
    }
    return tile;
  }
  const bool input_stationary = array_.dataflow == Dataflow::input_stationary;
  const std::int64_t depth = array_.depth();
  for (std::int64_t beat = 0; beat < beats_; ++beat) {
    for (std::int64_t k = at.k.begin; k < at.k.begin + depth; ++k) {
      tile.moving.push_back(input_stationary ? element(b, k, beat) : element(a, beat, k));
    }
  }
  for (std::int64_t k = at.k.begin; k < at.k.begin + depth; ++k) {
    for (std::int64_t c = 0; c < array_.cols; ++c) {
      tile.stationary.push_back(input_stationary ? element(a, at.m.begin + c, k)
                                                 : element(b, k, at.n.begin + c));
    }
  }
  return tile;
}

void GemmMapping::add_result(std::int64_t index, std::int64_t vector,
                             std::span<const std::int64_t> result, Sums& c) const {
  const TileBlock at = block(index);
  if (array_.dataflow == Dataflow::input_stationary) {
    for (std::int64_t i = 0; i < at.m.size(); ++i) {
      c(at.m.begin + i, vector) += result[static_cast<std::size_t>(i)];
    }
    return;
  }
  // An output-stationary tile leaves bottom row first, rows of padding ahead of those of C.
  const std::int64_t row =
      array_.output_stationary() ? at.m.begin + array_.rows - 1 - vector : vector;
  if (row >= gemm_.m) return;
  for (std::int64_t i = 0; i < at.n.size(); ++i) {
    c(row, at.n.begin + i) += result[static_cast<std::size_t>(i)];
  }
}

Sums golden_gemm(const TensorArray& array, const Operands& a, const Operands& b) {
  const GemmMapping mapping(array, {a.rows(), b.cols(), a.cols()});
  Sums c(a.rows(), b.cols());
  for (std::int64_t index = 0; index < mapping.run().tiles; ++index) {
    const Sums results = array_pass(array, mapping.tile(index, a, b));
    for (std::int64_t vector = 0; vector < results.rows(); ++vector) {
      mapping.add_result(index, vector, results.row(vector), c);
    }
  }
  return c;
}

}  // namespace weft::arch
