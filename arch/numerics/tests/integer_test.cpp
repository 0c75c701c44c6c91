// SPDX-License-Identifier: Apache-2.0
#include "arch/numerics/integer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

namespace weft::arch {
namespace {

using boost::multiprecision::cpp_int;

cpp_int power_of_two(int exponent) { return cpp_int(1) << exponent; }

/// The mathematical value that `carried` stands for.
cpp_int value_of(std::int64_t carried, const AccumulatorFormat& format) {
  return format.is_signed || carried >= 0 ? cpp_int(carried) : cpp_int(carried) + power_of_two(64);
}

/// Wrapping and saturation as arithmetic on unbounded integers.
cpp_int reduce(const cpp_int& exact, const AccumulatorFormat& format) {
  const cpp_int low = format.is_signed ? -power_of_two(format.width - 1) : cpp_int(0);
  const cpp_int high = low + power_of_two(format.width) - 1;
  if (format.overflow == Overflow::saturate) return exact < low ? low : exact > high ? high : exact;
  cpp_int shifted = (exact - low) % power_of_two(format.width);
  if (shifted < 0) shifted += power_of_two(format.width);
  return shifted + low;
}

AccumulatorFormat any_format() {
  return {*rc::gen::inRange(1, 65), *rc::gen::arbitrary<bool>(),
          *rc::gen::element(Overflow::wrap, Overflow::saturate)};
}

RC_GTEST_PROP(Accumulate, EqualsUnboundedArithmetic, (std::uint64_t bits, std::int64_t addend)) {
  const AccumulatorFormat format = any_format();
  const std::int64_t acc = from_bits(bits, format.width, format.is_signed);
  const std::int64_t small = addend >> *rc::gen::inRange(0, 64);
  const std::int64_t sum = accumulate(acc, small, format);
  RC_ASSERT(value_of(sum, format) == reduce(value_of(acc, format) + small, format));
}

TEST(Accumulate, EveryCaseOfSmallWidths) {
  for (int width = 1; width <= 6; ++width) {
    for (const bool is_signed : {false, true}) {
      for (const Overflow overflow : {Overflow::wrap, Overflow::saturate}) {
        const AccumulatorFormat format{width, is_signed, overflow};
        for (std::uint64_t bits = 0; bits < (1U << width); ++bits) {
          const std::int64_t acc = from_bits(bits, width, is_signed);
          for (int addend = -200; addend <= 200; ++addend) {
            ASSERT_EQ(cpp_int(accumulate(acc, addend, format)),
                      reduce(cpp_int(acc) + addend, format));
          }
        }
      }
    }
  }
}

TEST(Accumulate, TheBoundsOfSixtyFourBits) {
  const std::int64_t top = std::numeric_limits<std::int64_t>::max();
  const AccumulatorFormat wrapping{64, true, Overflow::wrap};
  const AccumulatorFormat saturating{64, true, Overflow::saturate};
  EXPECT_EQ(accumulate(top, 1, wrapping), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(accumulate(top, 1, saturating), top);
  const AccumulatorFormat unsigned_wrapping{64, false, Overflow::wrap};
  const AccumulatorFormat unsigned_saturating{64, false, Overflow::saturate};
  EXPECT_EQ(to_bits(accumulate(-1, 1, unsigned_wrapping), 64), 0U);
  EXPECT_EQ(to_bits(accumulate(-1, 1, unsigned_saturating), 64), ~std::uint64_t{0});
  EXPECT_EQ(accumulate(0, -1, unsigned_saturating), 0);
}

RC_GTEST_PROP(Dot, EqualsUnboundedArithmetic, ()) {
  const auto pairs = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(-32768, 65536), rc::gen::inRange(-32768, 65536)));
  std::vector<std::int32_t> x;
  std::vector<std::int32_t> y;
  cpp_int exact = 0;
  for (const auto& [a, b] : pairs) {
    x.push_back(a);
    y.push_back(b);
    exact += cpp_int(a) * b;
  }
  RC_ASSERT(cpp_int(dot(x, y)) == exact);
}

TEST(ExactAccumulatorWidth, HoldsEverySumAndOneBitLessDoesNot) {
  for (int moving_bits = 2; moving_bits <= 5; ++moving_bits) {
    for (int stationary_bits = 2; stationary_bits <= 5; ++stationary_bits) {
      for (const bool moving_signed : {false, true}) {
        for (const bool stationary_signed : {false, true}) {
          const IntFormat moving{moving_bits, moving_signed};
          const IntFormat stationary{stationary_bits, stationary_signed};
          // All sums of `depth` products lie between the extremes found by trying every product.
          std::int64_t least = 0;
          std::int64_t greatest = 0;
          for (std::int64_t a = moving.min(); a <= moving.max(); ++a) {
            for (std::int64_t b = stationary.min(); b <= stationary.max(); ++b) {
              least = std::min(least, a * b);
              greatest = std::max(greatest, a * b);
            }
          }
          for (std::int64_t depth = 1; depth <= 70; ++depth) {
            const int width = exact_accumulator_width(moving, stationary, depth);
            const auto fits = [&](int bits) {
              const bool is_signed = moving_signed || stationary_signed;
              const AccumulatorFormat format{bits, is_signed, Overflow::wrap};
              return reduce(cpp_int(depth * least), format) == depth * least &&
                     reduce(cpp_int(depth * greatest), format) == depth * greatest;
            };
            ASSERT_TRUE(fits(width));
            ASSERT_FALSE(width > 1 && fits(width - 1));
          }
        }
      }
    }
  }
}

TEST(ExactAccumulatorWidth, KnownCases) {
  const IntFormat int8{8, true};
  const IntFormat uint8{8, false};
  EXPECT_EQ(exact_accumulator_width(int8, int8, 1), 16);   // -128 * -128 = 2^14
  EXPECT_EQ(exact_accumulator_width(int8, int8, 16), 20);  // 2^18 needs a 20th bit
  EXPECT_EQ(exact_accumulator_width(uint8, uint8, 1), 16);
  EXPECT_EQ(exact_accumulator_width(uint8, int8, 1), 16);
  EXPECT_GT(exact_accumulator_width({16, false}, {16, false}, std::int64_t{1} << 40), 64);
}

RC_GTEST_PROP(Bits, RoundTrip, (std::uint64_t bits)) {
  const AccumulatorFormat format = any_format();
  const std::int64_t value = from_bits(bits, format.width, format.is_signed);
  const cpp_int low_bits = cpp_int(bits) % power_of_two(format.width);
  RC_ASSERT(cpp_int(to_bits(value, format.width)) == low_bits);
  RC_ASSERT(value_of(value, format) ==
            reduce(cpp_int(bits), {format.width, format.is_signed, Overflow::wrap}));
}

TEST(Representable, ExactlyTheRange) {
  for (int bits = 2; bits <= 16; ++bits) {
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    EXPECT_TRUE(representable(-half, {bits, true}));
    EXPECT_FALSE(representable(-half - 1, {bits, true}));
    EXPECT_FALSE(representable(half, {bits, true}));
    EXPECT_TRUE(representable(2 * half - 1, {bits, false}));
    EXPECT_FALSE(representable(2 * half, {bits, false}));
    EXPECT_FALSE(representable(-1, {bits, false}));
  }
}

}  // namespace
}  // namespace weft::arch
