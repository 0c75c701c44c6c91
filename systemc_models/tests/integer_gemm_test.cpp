// SPDX-License-Identifier: Apache-2.0
// The fast matrix product against the golden arithmetic, over formats, widths, depths and layouts.
#include "systemc_models/integer_gemm.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <vector>

namespace weft::models {
namespace {

std::vector<std::int32_t> random_elements(std::size_t count, const arch::IntFormat& format,
                                          std::mt19937_64& random) {
  std::uniform_int_distribution<std::int64_t> any(format.min(), format.max());
  // Often all at one end: there the sums are longest.
  const std::uint64_t kind = random() % 3;
  std::vector<std::int32_t> elements(count);
  for (std::int32_t& element : elements) {
    element = static_cast<std::int32_t>(kind == 0   ? format.min()
                                        : kind == 1 ? format.max()
                                                    : any(random));
  }
  return elements;
}

RC_GTEST_PROP(IntegerGemm, EqualsTheGoldenArithmetic, ()) {
  const auto any_format = [] {
    return arch::IntFormat{*rc::gen::inRange(2, 17), *rc::gen::arbitrary<bool>()};
  };
  const arch::IntFormat x_format = any_format();
  const arch::IntFormat s_format = any_format();
  const arch::AccumulatorFormat format{
      *rc::gen::inRange(2, 65), x_format.is_signed || s_format.is_signed,
      *rc::gen::element(arch::Overflow::wrap, arch::Overflow::saturate)};
  const auto lanes = *rc::gen::element<std::size_t>(1, 2, 4);
  const auto cols = *rc::gen::inRange<std::size_t>(1, 40);
  IntegerGemm gemm(x_format, s_format, format, lanes, cols);

  // Two operands in turn: the second must not see the first.
  for (int turn = 0; turn < 2; ++turn) {
    const auto groups = *rc::gen::inRange<std::size_t>(1, 60);
    const auto vectors = *rc::gen::inRange<std::size_t>(1, 12);
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const auto x = random_elements(vectors * groups * lanes, x_format, random);
    const auto s = random_elements(groups * lanes * cols, s_format, random);
    const auto signed_lanes = static_cast<std::ptrdiff_t>(lanes);
    const auto signed_cols = static_cast<std::ptrdiff_t>(cols);
    const auto depth = static_cast<std::ptrdiff_t>(groups * lanes);
    // s is [group][lane][column] or [group][column][lane].
    const bool lanes_last = *rc::gen::arbitrary<bool>();
    const IntegerGemm::Layout layout{.group = signed_lanes * signed_cols,
                                     .lane = lanes_last ? 1 : signed_cols,
                                     .item = lanes_last ? signed_lanes : 1};
    std::vector<std::int64_t> y(vectors * cols);
    gemm.load(s.data(), groups, layout);
    gemm.multiply(x.data(), vectors, {.group = signed_lanes, .lane = 1, .item = depth}, y.data(),
                  signed_cols);

    for (std::size_t v = 0; v < vectors; ++v) {
      for (std::size_t c = 0; c < cols; ++c) {
        std::int64_t sum = 0;
        for (std::size_t g = 0; g < groups; ++g) {
          std::int64_t dot = 0;
          for (std::size_t m = 0; m < lanes; ++m) {
            const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(g) * layout.group +
                                      static_cast<std::ptrdiff_t>(m) * layout.lane +
                                      static_cast<std::ptrdiff_t>(c) * layout.item;
            dot += std::int64_t{x[(v * groups + g) * lanes + m]} * s[static_cast<std::size_t>(at)];
          }
          sum = arch::accumulate(sum, dot, format);
        }
        RC_ASSERT(y[v * cols + c] == sum);
      }
    }
  }
}

}  // namespace
}  // namespace weft::models
