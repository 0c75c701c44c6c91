// SPDX-License-Identifier: Apache-2.0
#include "arch/numerics/integer.h"

#include <algorithm>
#include <cstddef>

namespace weft::arch {
namespace {

// ISO C++ has no integer wide enough for the sum of two 64-bit values.
__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): __extension__ needs a typedef

Wide lowest(const AccumulatorFormat& format) {
  return format.is_signed ? -(Wide{1} << (format.width - 1)) : Wide{0};
}

Wide highest(const AccumulatorFormat& format) {
  return (Wide{1} << (format.is_signed ? format.width - 1 : format.width)) - 1;
}

}  // namespace

AccumulatorFormat accumulator_format(const TensorArray& array) {
  return {array.accumulator_width, array.accumulator_signed(), array.overflow};
}

std::int64_t accumulate(std::int64_t acc, std::int64_t addend, const AccumulatorFormat& format) {
  const Wide augend = format.is_signed ? Wide{acc} : Wide{static_cast<std::uint64_t>(acc)};
  const Wide exact = augend + addend;
  if (format.overflow == Overflow::saturate) {
    return static_cast<std::int64_t>(std::clamp(exact, lowest(format), highest(format)));
  }
  return from_bits(static_cast<std::uint64_t>(exact), format.width, format.is_signed);
}

std::int64_t dot(std::span<const std::int32_t> x, std::span<const std::int32_t> y) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::int64_t{x[i]} * y[i];
  return sum;
}

int exact_accumulator_width(const IntFormat& moving, const IntFormat& stationary,
                            std::int64_t depth) {
  // A product is bilinear, so its extremes lie at the corners of the operand ranges.
  const auto corners = {
      Wide{moving.min()} * stationary.min(), Wide{moving.min()} * stationary.max(),
      Wide{moving.max()} * stationary.min(), Wide{moving.max()} * stationary.max()};
  const Wide least = depth * std::min(corners);
  const Wide greatest = depth * std::max(corners);
  AccumulatorFormat format{1, moving.is_signed || stationary.is_signed, Overflow::wrap};
  while (lowest(format) > least || highest(format) < greatest) ++format.width;
  return format.width;
}

std::uint64_t to_bits(std::int64_t value, int width) {
  const auto bits = static_cast<std::uint64_t>(value);
  return width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

std::int64_t from_bits(std::uint64_t bits, int width, bool is_signed) {
  const int unused = 64 - width;
  // Shifting right keeps the sign of a signed and none of an unsigned operand.
  return is_signed ? static_cast<std::int64_t>(bits << unused) >> unused
                   : static_cast<std::int64_t>(bits << unused >> unused);
}

}  // namespace weft::arch
