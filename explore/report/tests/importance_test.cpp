// SPDX-License-Identifier: Apache-2.0
#include "explore/report/importance.h"

#include <gtest/gtest.h>

#include <cmath>

namespace weft::explore {
namespace {

/// A full grid of a, b in 0..3 and 0..2, each combination twice.
struct Grid {
  std::vector<std::uint32_t> a, b;
  std::vector<double> figures;
  explicit Grid(double (*figure)(int, int)) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int copy = 0; copy < 2; ++copy) {
          a.push_back(static_cast<std::uint32_t>(i));
          b.push_back(static_cast<std::uint32_t>(j));
          figures.push_back(figure(i, j));
        }
      }
    }
  }
};

TEST(Importance, IsAllOfWhatOneParameterDecides) {
  const Grid grid([](int i, int) { return 7.0 * i - 5; });
  EXPECT_DOUBLE_EQ(importance(grid.a, grid.figures).value(), 1);
  EXPECT_DOUBLE_EQ(importance(grid.b, grid.figures).value(), 0);
}

TEST(Importance, SharesTheVarianceOfASum) {
  // Variances of the means: a {-3, -1, 1, 3} 5, b {-1, 0, 1} 2/3. By hand, with n = 24:
  // total = 24 * 17/3 = 136; within a = 24 * 2/3 = 16, over n - k = 20; within b = 120, over 21.
  const Grid grid([](int i, int j) { return 2.0 * i - 3 + j - 1; });
  EXPECT_NEAR(importance(grid.a, grid.figures).value(), 1 - (16.0 / 20) / (136.0 / 23), 1e-12);
  EXPECT_NEAR(importance(grid.b, grid.figures).value(), 1 - (120.0 / 21) / (136.0 / 23), 1e-12);
}

TEST(Importance, TakesFactorsOfPositiveFiguresAlike) {
  const Grid product([](int i, int j) { return std::exp(2.0 * i - 3 + j - 1); });
  const Grid sum([](int i, int j) { return 2.0 * i - 3 + j - 1; });
  EXPECT_NEAR(importance(product.a, product.figures).value(),
              importance(sum.a, sum.figures).value(), 1e-9);
}

TEST(Importance, CannotBeToldOfConstants) {
  const Grid constant([](int, int) { return 0.1; });
  EXPECT_FALSE(importance(constant.a, constant.figures));
  EXPECT_FALSE(importance({0, 0, 0}, {1, 2, 3}));
  EXPECT_FALSE(importance({0, 1, 2}, {1, 2, 3}));
  EXPECT_FALSE(importance({}, {}));
}

}  // namespace
}  // namespace weft::explore
