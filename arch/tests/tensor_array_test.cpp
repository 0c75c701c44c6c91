// SPDX-License-Identifier: Apache-2.0
#include "arch/tensor_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace weft::arch {
namespace {

bool fits(std::int64_t value, int bits, bool is_signed) {
  const std::int64_t low = is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
  const std::int64_t high = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return low <= value && value <= high;
}

std::vector<IntFormat> formats(int widest) {
  std::vector<IntFormat> result;
  for (int bits = 2; bits <= widest; ++bits) {
    result.push_back({bits, true});
    result.push_back({bits, false});
  }
  return result;
}

TEST(ExactAccumulatorWidth, IsTheLeastThatHoldsEverySum) {
  for (const IntFormat& s : formats(5)) {
    for (const IntFormat& m : formats(5)) {
      // All products, and from them all sums of up to `depth` products.
      std::set<std::int64_t> products;
      for (std::int64_t a = s.min(); a <= s.max(); ++a) {
        for (std::int64_t b = m.min(); b <= m.max(); ++b) products.insert(a * b);
      }
      std::int64_t low = 0;
      std::int64_t high = 0;
      for (int depth = 1; depth <= 40; ++depth) {
        low = std::min(low, low + *products.begin());
        high = std::max(high, high + *products.rbegin());
        TensorArray array;
        array.stationary_format = s;
        array.moving_format = m;
        array.max_depth = depth;
        const int bits = exact_accumulator_width(array);
        const bool is_signed = s.is_signed || m.is_signed;
        EXPECT_TRUE(fits(low, bits, is_signed) && fits(high, bits, is_signed));
        EXPECT_FALSE(fits(low, bits - 1, is_signed) && fits(high, bits - 1, is_signed));
      }
    }
  }
}

TEST(ExactAccumulatorWidth, IsLegalForAllFormatsAndDepths) {
  for (const IntFormat& s : formats(16)) {
    for (const IntFormat& m : formats(16)) {
      for (const int depth : {1, 2, 3, 1 << 20}) {
        TensorArray array;
        array.stationary_format = s;
        array.moving_format = m;
        array.max_depth = depth;
        const int bits = exact_accumulator_width(array);
        EXPECT_GE(bits, s.bits + m.bits);  // the rule that an accumulator holds a product
        EXPECT_LE(bits, 64);
        const bool is_signed = array.accumulator_signed();
        for (const std::int64_t a : {s.min(), s.max()}) {
          for (const std::int64_t b : {m.min(), m.max()}) {
            EXPECT_TRUE(fits(a * b * depth, bits, is_signed));
          }
        }
      }
    }
  }
}

TEST(Resolved, FillsInWhatIsAutomatic) {
  TensorArray array;
  array.rows = 32;
  array.macs_per_pe = 4;
  EXPECT_EQ(resolved(array).max_depth, 128);
  EXPECT_EQ(resolved(array).accumulator_width, 23);  // 128 * 2^14 = 2^21, signed
  array.dataflow = Dataflow::output_stationary;
  EXPECT_EQ(resolved(array).max_depth, 4096);
  array.accumulator_width = 20;
  EXPECT_EQ(resolved(array).accumulator_width, 20);
}

TEST(Declaration, CoversEveryMember) {
  TensorArray array;
  // Stops compiling when the number of members changes: then declare the new one, and add it here.
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = array;
  const auto size = [](const auto&... members) { return sizeof...(members); };
  EXPECT_EQ(declaration<TensorArray>().kind().parameters.size(),
            1 + size(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s));  // 1: kind
}

TEST(Declaration, SaysEverythingOnce) {
  std::set<std::string> names;
  for (const Parameter& parameter : declaration<TensorArray>().kind().parameters) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
    EXPECT_TRUE(parameter.doc.ends_with('.')) << parameter.name;
    EXPECT_EQ(parameter.unit.empty(), !is_integral(parameter.domain)) << parameter.name;
    EXPECT_TRUE(!parameter.default_value || parameter.accepts(*parameter.default_value));
  }
  EXPECT_TRUE(declaration<TensorArray>().kind().broken_clauses({}).empty());
}

TEST(RandomTensorArray, IsLegalAndReachesEveryValueOfSmallDomains) {
  const auto& declared = declaration<TensorArray>();
  std::mt19937_64 random(3);
  std::map<std::string, std::set<Value>> seen;
  for (int i = 0; i < 5000; ++i) {
    const Values values = declared.values(random_tensor_array(random));
    EXPECT_TRUE(declared.kind().broken_clauses(values).empty());
    for (const Parameter& parameter : declared.kind().parameters) {
      const Value& value = values.at(parameter.name);
      EXPECT_TRUE(contains(parameter.domain, value)) << parameter.name << to_text(value);
      seen[parameter.name].insert(value);
    }
  }
  EXPECT_EQ(seen["rows"].size(), 256U);
  EXPECT_EQ(seen["dataflow"].size(), 3U);
  EXPECT_EQ(seen["moving_format"].size(), 30U);
  EXPECT_EQ(seen["load_rows_per_cycle"].size(), 3U);
  EXPECT_EQ(seen["tag_width"].size(), 64U);
}

TEST(RandomTensorArray, StaysInNarrowedDomains) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 100; ++i) {
    const TensorArray array = random_tensor_array(
        random, {{"rows", IntRange{1, 5}}, {"dataflow", Choice{{"input_stationary"}, {}}}});
    EXPECT_LE(array.rows, 5);
    EXPECT_EQ(array.dataflow, Dataflow::input_stationary);
  }
}

TEST(RandomTensorArray, IsReproducible) {
  std::mt19937_64 one(5);
  std::mt19937_64 other(5);
  EXPECT_EQ(random_tensor_array(one), random_tensor_array(other));
}

}  // namespace
}  // namespace weft::arch
