// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "arch/tensor_array.h"

/// Golden integer arithmetic of the tensor array: exact, slow and obvious. docs/numerics.md says
/// in words what these functions say in code.
namespace weft::arch {

/// The number format of partial sums and results.
///
/// A value of the format is carried in an int64_t. Only an unsigned 64-bit accumulator has values
/// that do not fit; they are carried as the int64_t of the same 64 bits.
struct AccumulatorFormat {
  int width = 32;  ///< bits, 1..64
  bool is_signed = true;
  Overflow overflow = Overflow::wrap;

  bool operator==(const AccumulatorFormat&) const = default;
};

/// The accumulator of `array`.
[[nodiscard]] AccumulatorFormat accumulator_format(const TensorArray& array);

/// acc + addend in `format`: the sum is exact, then wraps to the format's width or saturates at its
/// bounds. `acc` is a value of the format; `addend` is any integer.
[[nodiscard]] std::int64_t accumulate(std::int64_t acc, std::int64_t addend,
                                      const AccumulatorFormat& format);

/// The exact dot product of two equally long rows of operands of at most 16 bits, the sum of at
/// most 2^31 products: what one PE adds to its partial sum in a cycle.
[[nodiscard]] std::int64_t dot(std::span<const std::int32_t> x, std::span<const std::int32_t> y);

/// The smallest accumulator width at which no sum of `depth` products of the two formats, nor any
/// partial sum on the way, can overflow. From the exact extremes of a product, so it is exact too:
/// one bit less overflows for some operands. Signed when either format is. `depth` >= 1.
[[nodiscard]] int exact_accumulator_width(const IntFormat& moving, const IntFormat& stationary,
                                          std::int64_t depth);

/// The low `width` bits (1..64) of a value: what stands on a port of that width.
[[nodiscard]] std::uint64_t to_bits(std::int64_t value, int width);

/// The value of the low `width` bits (1..64) of `bits`; higher bits are ignored.
[[nodiscard]] std::int64_t from_bits(std::uint64_t bits, int width, bool is_signed);

/// Whether `value` is one of the format's.
[[nodiscard]] inline bool representable(std::int64_t value, const IntFormat& format) {
  return format.min() <= value && value <= format.max();
}

}  // namespace weft::arch
