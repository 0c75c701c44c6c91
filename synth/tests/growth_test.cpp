// SPDX-License-Identifier: Apache-2.0
#include "synth/growth.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft::synth {
namespace {

/// Cells of a grid with corners, edges and an interior that weigh differently.
double grid(std::int64_t rows, std::int64_t cols) {
  return 7.0 + 3.0 * static_cast<double>(rows) + 5.0 * static_cast<double>(cols) +
         11.0 * static_cast<double>(rows * cols);
}

const std::vector<GrowthLaw> grid_laws{{"ROWS", {2, 8}, "STEP"}, {"COLS", {2, 8}, ""}};

TEST(Growth, SmallBlocksAreMeasuredThemselves) {
  const Sizes sizes{{"ROWS", 8}, {"COLS", 8}, {"STEP", 1}};
  const Extension extension(grid_laws, sizes);
  EXPECT_FALSE(extension.needed());
  EXPECT_EQ(extension.samples(), std::vector<Sizes>{sizes});
}

TEST(Growth, OnlyWhatIsTooBigIsReplaced) {
  const Extension extension(grid_laws, {{"ROWS", 5}, {"COLS", 100}, {"STEP", 1}, {"WIDTH", 23}});
  ASSERT_TRUE(extension.needed());
  const std::vector<Sizes> expected{{{"ROWS", 5}, {"COLS", 2}, {"STEP", 1}, {"WIDTH", 23}},
                                    {{"ROWS", 5}, {"COLS", 8}, {"STEP", 1}, {"WIDTH", 23}}};
  EXPECT_EQ(extension.samples(), expected);
  EXPECT_EQ(extension.held_out(), (Sizes{{"ROWS", 5}, {"COLS", 5}, {"STEP", 1}, {"WIDTH", 23}}));
}

TEST(Growth, SamplesHaveThePhaseOfThePeriod) {
  const Extension extension(grid_laws, {{"ROWS", 130}, {"COLS", 4}, {"STEP", 4}});
  // 130 = 2 (mod 4), and no sample is smaller than a period.
  EXPECT_EQ(extension.samples().front().at("ROWS"), 6);
  EXPECT_EQ(extension.samples().back().at("ROWS"), 10);
}

TEST(Growth, SamplesAndTheHeldOutOneDifferFromTheBlockByWholePeriods) {
  for (std::int64_t step = 1; step <= 5; ++step) {
    for (std::int64_t rows = 30; rows < 36; ++rows) {
      const Sizes sizes{{"ROWS", rows}, {"COLS", 40}, {"STEP", step}};
      const Extension extension(grid_laws, sizes);
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

RC_GTEST_PROP(Growth, IsExactForCornersEdgesAndInterior, ()) {
  const auto rows = *rc::gen::inRange<std::int64_t>(1, 300);
  const auto cols = *rc::gen::inRange<std::int64_t>(1, 300);
  const Sizes sizes{
      {"ROWS", rows}, {"COLS", cols}, {"STEP", *rc::gen::inRange<std::int64_t>(1, 9)}};
  const Extension extension(grid_laws, sizes);
  std::vector<double> figures;
  for (const Sizes& sample : extension.samples())
    figures.push_back(grid(sample.at("ROWS"), sample.at("COLS")));
  RC_ASSERT(std::abs(extension.at(sizes, figures) - grid(rows, cols)) < 1e-6 * grid(rows, cols));
}

RC_GTEST_PROP(Growth, IsExactForTriangles, ()) {
  const auto lanes = *rc::gen::inRange<std::int64_t>(1, 300);
  const auto step = *rc::gen::inRange<std::int64_t>(1, 9);
  const auto triangle = [&](std::int64_t n) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += i / step;
    return static_cast<double>(sum);
  };
  const Sizes sizes{{"LANES", lanes}, {"STEP", step}};
  const Extension extension({{"LANES", {4, 10, 16}, "STEP"}}, sizes);
  std::vector<double> figures;
  for (const Sizes& sample : extension.samples()) figures.push_back(triangle(sample.at("LANES")));
  RC_ASSERT(std::abs(extension.at(sizes, figures) - triangle(lanes)) < 1e-3);
}

}  // namespace
}  // namespace weft::synth
