// SPDX-License-Identifier: Apache-2.0
// Extensions against the polynomials that they must reproduce.
#include "synth/growth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace weft::synth {
namespace {

const std::vector<GrowthLaw> grid{{"ROWS", {2, 8}, "STEP"}, {"COLS", {2, 8}, "STEP"}};

/// Corners, edges and an interior, in tiles of STEP.
double grid_area(const Sizes& at) {
  const auto rows = static_cast<double>(at.at("ROWS"));
  const auto cols = static_cast<double>(at.at("COLS"));
  return 7 + 3 * rows + 11 * cols + 20 * rows * cols;
}

std::vector<double> figures(const Extension& extension, double (*area)(const Sizes&)) {
  std::vector<double> result;
  for (const Sizes& sizes : extension.samples()) result.push_back(area(sizes));
  return result;
}

TEST(Extension, IsExactForCornersEdgesAndAnInterior) {
  for (const std::int64_t rows : {9, 16, 31, 128}) {
    for (const std::int64_t cols : {1, 8, 9, 77, 256}) {
      const Sizes sizes{{"ROWS", rows}, {"COLS", cols}, {"STEP", 1}};
      const Extension extension(grid, sizes);
      ASSERT_TRUE(extension.needed());
      EXPECT_EQ(extension.samples().size(), cols > 8 ? 4U : 2U);
      EXPECT_NEAR(extension.at(sizes, figures(extension, grid_area)), grid_area(sizes), 1e-6);
    }
  }
}

TEST(Extension, IsExactForTriangles) {
  const std::vector<GrowthLaw> skew{{"LANES", {4, 10, 16}, ""}};
  const auto area = [](const Sizes& at) {
    const auto lanes = static_cast<double>(at.at("LANES"));
    return 5 + lanes * (lanes - 1) / 2 * 96;
  };
  const Sizes sizes{{"LANES", 100}};
  const Extension extension(skew, sizes);
  EXPECT_NEAR(extension.at(sizes, figures(extension, area)), area(sizes), 1e-6);
}

TEST(Extension, MeasuresSmallBlocksThemselves) {
  const Sizes sizes{{"ROWS", 8}, {"COLS", 5}, {"STEP", 1}};
  const Extension extension(grid, sizes);
  EXPECT_FALSE(extension.needed());
  EXPECT_EQ(extension.samples(), std::vector<Sizes>{sizes});
}

TEST(Extension, SamplesAndTheHeldOutOneDifferFromTheBlockByWholePeriods) {
  for (std::int64_t step = 1; step <= 5; ++step) {
    for (std::int64_t rows = 30; rows < 36; ++rows) {
      const Sizes sizes{{"ROWS", rows}, {"COLS", 40}, {"STEP", step}};
      const Extension extension(grid, sizes);
      std::vector<Sizes> all = extension.samples();
      all.push_back(extension.held_out());
      for (const Sizes& sample : all) {
        EXPECT_EQ((rows - sample.at("ROWS")) % step, 0);
        EXPECT_GE(sample.at("ROWS"), step);
        EXPECT_LT(sample.at("ROWS"), rows);
        EXPECT_EQ(sample.at("STEP"), step);
      }
    }
  }
}

}  // namespace
}  // namespace weft::synth
