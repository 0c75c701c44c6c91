// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/numerics/integer.h"
#include "arch/tensor_array.h"

namespace weft::models {

/// Matrix product of small integers as fast as the processor allows, with the accumulator semantics
/// of the golden arithmetic (arch/numerics/integer.h), to which the tests prove it equal:
///
///     y[v][c] = sum over groups g, lanes m of x[v][g][m] * s[g][m][c]
///
/// The lanes of a group are added exactly; the sum overflows (wraps or saturates) after each group.
///
/// Wrapping commutes with addition, and a sum that cannot overflow does neither, so in both cases
/// the sum may be formed in any order and cut at the end. Only sums that may saturate go group by
/// group.
class IntegerGemm {
 public:
  /// Where an operand's element lies: strides, in elements.
  struct Layout {
    std::ptrdiff_t group;
    std::ptrdiff_t lane;
    std::ptrdiff_t item;  ///< of the column of s, of the vector of x
  };

  /// @param x, s  formats of the operands; their elements must be within range
  IntegerGemm(arch::IntFormat x, arch::IntFormat s, arch::AccumulatorFormat accumulator,
              std::size_t lanes, std::size_t cols);

  /// Takes (copies) the operand s.
  void load(const std::int32_t* s, std::size_t groups, Layout layout);

  /// Multiplies with the operand loaded last. The results of vector v go to y + v * y_stride.
  void multiply(const std::int32_t* x, std::size_t vectors, Layout layout, std::int64_t* y,
                std::ptrdiff_t y_stride);

 private:
  // How sums are formed.
  enum class Kernel {
    pairs,   // 16-bit operands, pairs of products added into 32 bits; needs AVX2
    reals,   // products and sums in double, which are exact below 2^53
    serial,  // group by group, saturating
  };

  // One type of packed operands is in use at a time: s by blocks of columns, x one block of
  // vectors.
  template <typename Element>
  struct Packed {
    std::vector<Element> s;
    std::vector<Element> x;
  };

  void choose_kernel();
  // Runs over the blocks of the result: pack(v, height) packs a block of vectors into packed.x,
  // tile(panel of s, y, y_stride) multiplies it.
  template <typename Element, typename Pack, typename Tile>
  void multiply_blocks(const Packed<Element>& packed, std::size_t panel_size, std::size_t vectors,
                       std::int64_t* y, std::ptrdiff_t y_stride, const Pack& pack,
                       const Tile& tile) const;
  void multiply_pairs(const std::int32_t* x, std::size_t vectors, Layout layout, std::int64_t* y,
                      std::ptrdiff_t y_stride);
  void multiply_reals(const std::int32_t* x, std::size_t vectors, Layout layout, std::int64_t* y,
                      std::ptrdiff_t y_stride);
  void multiply_serial(const std::int32_t* x, std::size_t vectors, Layout layout, std::int64_t* y,
                       std::ptrdiff_t y_stride);

  arch::IntFormat x_format_;
  arch::IntFormat s_format_;
  arch::AccumulatorFormat accumulator_;
  std::size_t lanes_;
  std::size_t cols_;

  std::size_t groups_ = 0;
  Kernel kernel_ = Kernel::reals;
  int sum_bits_ = 0;  // bits of the sum that make the result

  Packed<std::int32_t> pairs_;  // an element is two 16-bit integers
  Packed<double> reals_;
  Packed<std::int32_t> serial_;
};

}  // namespace weft::models
