// SPDX-License-Identifier: Apache-2.0
#include "verif/traffic/distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/error.h"

namespace weft::verif {
namespace {

std::string problem_of(std::string_view text) {
  try {
    (void)parse_distribution(text, "packet length", 1, 1000);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Distribution, ReadsOneValueOrShares) {
  EXPECT_EQ(parse_distribution("4", "packet length", 1, 8), (Distribution{{4, 1}}));
  EXPECT_EQ(parse_distribution("1:0.5,5:0.5", "packet length", 1, 8),
            (Distribution{{1, 0.5}, {5, 0.5}}));
  const Distribution three = parse_distribution("1:0.333,2:0.333,9:0.333", "packet length", 1, 9);
  EXPECT_DOUBLE_EQ(three[0].share, 1.0 / 3);
  EXPECT_DOUBLE_EQ(mean(three), 4);
  EXPECT_EQ(largest(three), 9);
}

TEST(Distribution, SaysWhatIsWrong) {
  EXPECT_EQ(problem_of("0"), "packet length: '0' is not a whole number in 1..1000");
  EXPECT_EQ(problem_of("1001"), "packet length: '1001' is not a whole number in 1..1000");
  EXPECT_EQ(problem_of(""), "packet length: '' is not a whole number in 1..1000");
  EXPECT_EQ(problem_of("1:0.5,"), "packet length: '' is not a whole number in 1..1000");
  EXPECT_EQ(problem_of("1:0.5,5:half"),
            "packet length: the share 'half' is not a number above 0 and up to 1");
  EXPECT_EQ(problem_of("1:0.5,5:-0.5"),
            "packet length: the share '-0.5' is not a number above 0 and up to 1");
  EXPECT_EQ(problem_of("1:0.5,5:0.4"),
            "packet length: the shares of '1:0.5,5:0.4' add up to 0.9 instead of 1");
  EXPECT_EQ(problem_of("1,5"), "packet length: the shares of '1,5' add up to 2 instead of 1");
}

TEST(DiscreteSampler, DrawsByTheShares) {
  const Distribution distribution{{3, 0.2}, {7, 0.5}, {8, 0.3}};
  const DiscreteSampler sampler(distribution);
  Random random(5);
  std::map<int, double> seen;
  constexpr int draws = 200000;
  for (int i = 0; i < draws; ++i) seen[sampler(random)] += 1.0 / draws;
  ASSERT_EQ(seen.size(), 3U);
  for (const Share& s : distribution) {
    EXPECT_NEAR(seen[s.value], s.share, 5 * std::sqrt(s.share * (1 - s.share) / draws));
  }
}

// Mean (1-p)/p, variance (1-p)/p^2, and the probability of no failure at all is p.
TEST(GeometricSampler, HasTheMomentsOfTheDistribution) {
  for (const double p : {0.9, 0.5, 0.11, 0.01, 0.0003}) {
    const GeometricSampler sampler(p);
    Random random(7);
    constexpr int draws = 200000;
    double sum = 0;
    double squares = 0;
    int none = 0;
    const double expected = (1 - p) / p;
    const double variance = (1 - p) / (p * p);
    for (int i = 0; i < draws; ++i) {
      const auto x = static_cast<double>(sampler(random));
      sum += x;
      squares += (x - expected) * (x - expected);
      none += static_cast<int>(x == 0);
    }
    EXPECT_NEAR(sum / draws, expected, 5 * std::sqrt(variance / draws)) << p;
    // The fourth central moment is variance^2 * (9 + p^2 / (1 - p)).
    EXPECT_NEAR(squares / draws / variance, 1, 5 * std::sqrt((8 + p * p / (1 - p)) / draws)) << p;
    EXPECT_NEAR(static_cast<double>(none) / draws, p, 5 * std::sqrt(p * (1 - p) / draws)) << p;
  }
}

TEST(GeometricSampler, AlwaysAndNever) {
  Random random(1);
  EXPECT_EQ(GeometricSampler(1)(random), 0U);
  EXPECT_EQ(GeometricSampler(0)(random), GeometricSampler::never);
}

}  // namespace
}  // namespace weft::verif
