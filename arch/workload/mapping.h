// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "arch/numerics/matrix.h"
#include "arch/tensor_array.h"
#include "arch/timing/schedule.h"
#include "arch/traffic.h"
#include "arch/workload/layer.h"

namespace weft::arch {

/// A half-open range of indices, cut off at the matrix's edge: size() may be less than a tile.
struct IndexRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  [[nodiscard]] std::int64_t size() const { return end - begin; }
  bool operator==(const IndexRange&) const = default;
};

/// The multiplications of one tile: C[m][n] += A[m][k] * B[k][n] for m, n, k in these ranges.
struct TileBlock {
  IndexRange m;
  IndexRange n;
  IndexRange k;
  bool operator==(const TileBlock&) const = default;
};

/// How C = A x B of any size is cut into tiles of an array (docs/workloads.md).
///
///     dataflow            held (stationary stream)     streamed (moving)    loops, outer to inner
///     weight_stationary   B: DEPTH of K x COLS of N    all M rows of A      n, k
///     input_stationary    A^T: DEPTH of K x COLS of M  all N columns of B   m, k
///     output_stationary   C: ROWS of M x COLS of N     K, MACS a step       m, n
///
/// with DEPTH = ROWS * MACS. What lies outside A and B is streamed as zeros. The sums of tiles that
/// differ in k only are added outside the array, exactly.
class GemmMapping {
 public:
  GemmMapping(const TensorArray& array, const Gemm& gemm);

  /// All tiles of the product; they are alike, in `run().tiles` times `run().beats` moving beats.
  [[nodiscard]] TileRun run() const { return {beats_, outer_tiles_ * inner_tiles_}; }
  /// The formats in which A and B pass through the array.
  [[nodiscard]] IntFormat a_format() const;
  [[nodiscard]] IntFormat b_format() const;

  /// What tile `index` (0 .. run().tiles - 1, in order of execution) multiplies.
  [[nodiscard]] TileBlock block(std::int64_t index) const;
  /// The data of tile `index`, ready to be driven into the array. Tags count moving beats, modulo
  /// 2^tag_width.
  [[nodiscard]] Tile tile(std::int64_t index, const Operands& a, const Operands& b) const;
  /// Adds result vector `vector` of tile `index`, in the order in which they leave the array, to
  /// its place in C. Columns of padding are dropped.
  void add_result(std::int64_t index, std::int64_t vector, std::span<const std::int64_t> result,
                  Sums& c) const;

 private:
  TensorArray array_;
  Gemm gemm_;
  std::int64_t beats_ = 0;
  std::int64_t outer_tiles_ = 0;
  std::int64_t inner_tiles_ = 0;
};

/// GemmMapping(array, gemm).run(), for those who need no more.
[[nodiscard]] TileRun tile_run(const TensorArray& array, const Gemm& gemm);

/// What an array computes for C = A x B: every tile in the array's arithmetic, overflow included,
/// the tiles' sums added exactly. Equal to the exact product if the accumulator cannot overflow.
[[nodiscard]] Sums golden_gemm(const TensorArray& array, const Operands& a, const Operands& b);

}  // namespace weft::arch
