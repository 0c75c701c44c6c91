// SPDX-License-Identifier: Apache-2.0
#include "synth/power/expression.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>

namespace weft::synth {
namespace {

std::optional<int> letter(std::string_view name) {
  if (name.size() != 1 || name[0] < 'A' || name[0] > 'D') return std::nullopt;
  return name[0] - 'A';
}

using Truth = std::function<bool(bool a, bool b, bool c, bool d)>;

struct Case {
  const char* text;
  Truth truth;
};

/// Bit i of word v: variable v in row i of a truth table of four variables.
constexpr std::array<std::uint64_t, 4> columns{0xAAAA, 0xCCCC, 0xF0F0, 0xFF00};

TEST(Expression, IsWhatLibertyMeans) {
  const std::vector<Case> cases{
      {"A", [](bool a, bool, bool, bool) { return a; }},
      {"(A)", [](bool a, bool, bool, bool) { return a; }},
      {"!A", [](bool a, bool, bool, bool) { return !a; }},
      {"A'", [](bool a, bool, bool, bool) { return !a; }},
      {"A B", [](bool a, bool b, bool, bool) { return a && b; }},
      {"A*B&C", [](bool a, bool b, bool c, bool) { return a && b && c; }},
      {"A+B C|D", [](bool a, bool b, bool c, bool d) { return a || (b && c) || d; }},
      {"A ^ B * C", [](bool a, bool b, bool c, bool) { return (a != b) && c; }},
      {"A * B ^ C", [](bool a, bool b, bool c, bool) { return a && (b != c); }},
      {"!A ^ B", [](bool a, bool b, bool, bool) { return !a != b; }},
      {"!(A B)'", [](bool a, bool b, bool, bool) { return a && b; }},
      {"(!((A B)+C))", [](bool a, bool b, bool c, bool) { return !((a && b) || c); }},
      {"(A*B)+(A*C)+(B*C)",
       [](bool a, bool b, bool c, bool) { return int{a} + int{b} + int{c} > 1; }},
      {"(A & !B) | (!A & B)", [](bool a, bool b, bool, bool) { return a != b; }},
      {"A(B+C)", [](bool a, bool b, bool c, bool) { return a && (b || c); }},
      {"1", [](bool, bool, bool, bool) { return true; }},
      {"0 + D", [](bool, bool, bool, bool d) { return d; }},
  };
  for (const Case& each : cases) {
    const auto expression = Expression::parse(each.text, letter);
    ASSERT_TRUE(expression) << each.text;
    const std::uint64_t values = expression->evaluate(columns);
    for (unsigned row = 0; row < 16; ++row)
      EXPECT_EQ((values >> row & 1U) != 0,
                each.truth((row & 1U) != 0, (row & 2U) != 0, (row & 4U) != 0, (row & 8U) != 0))
          << each.text << " row " << row;
  }
}

TEST(Expression, RefusesWhatIsNone) {
  for (const char* text : {"", "A+", "(A", "A)", "E", "A ++ B", "!", "A # B", "*A"})
    EXPECT_FALSE(Expression::parse(text, letter)) << text;
}

TEST(Expression, KnowsProbabilities) {
  const std::array<double, 4> p{0.5, 0.25, 0.1, 0};
  const auto both = Expression::parse("A B", letter);
  EXPECT_DOUBLE_EQ(both->probability(p), 0.125);
  EXPECT_DOUBLE_EQ(both->sensitivity(0, p), 0.25);
  EXPECT_DOUBLE_EQ(both->sensitivity(1, p), 0.5);
  EXPECT_DOUBLE_EQ(both->sensitivity(2, p), 0);
  // Exact although A occurs twice: a product term by term would give 0.4375.
  const std::array<double, 4> half{0.5, 0.5, 0.5, 0.5};
  const auto differ = Expression::parse("(A !B)+(!A B)", letter);
  EXPECT_DOUBLE_EQ(differ->probability(half), 0.5);
  EXPECT_DOUBLE_EQ(differ->sensitivity(0, p), 1);
  // A multiplexer passes what it selects.
  const auto mux = Expression::parse("(A C) + (B !C)", letter);
  EXPECT_DOUBLE_EQ(mux->sensitivity(0, p), 0.1);
  EXPECT_DOUBLE_EQ(mux->sensitivity(1, p), 0.9);
  EXPECT_DOUBLE_EQ(mux->sensitivity(2, p), 0.5 * 0.75 + 0.5 * 0.25);
}

TEST(Expression, PutsFunctionsInPlaceOfVariables) {
  const auto outer = Expression::parse("A ^ C", letter);
  const auto inner = Expression::parse("B D", letter);
  const Expression joined = outer->substitute(2, *inner).inverted();
  EXPECT_EQ(joined.support(), (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(joined.evaluate(columns), ~(columns[0] ^ (columns[1] & columns[3])));
  EXPECT_EQ(Expression::of(1).evaluate(columns), columns[1]);
}

}  // namespace
}  // namespace weft::synth
