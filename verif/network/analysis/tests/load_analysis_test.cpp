// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "verif/network/analysis/load_point.h"
#include "verif/network/analysis/load_sweep.h"

namespace weft::verif {
namespace {

/// A run of two nodes that offered and accepted so many flits in 1000 cycles.
RunResult run_of(std::vector<std::uint64_t> offered, std::vector<std::uint64_t> accepted,
                 std::uint64_t latency) {
  RunResult run;
  run.cycles = 1500;
  run.measurement = 1000;
  const auto growth = static_cast<std::int64_t>(run.parts);
  for (std::int64_t& step : run.growth) {
    step = (static_cast<std::int64_t>(offered[0] + offered[1]) -
            static_cast<std::int64_t>(accepted[0] + accepted[1])) /
           growth;
  }
  run.offered = std::move(offered);
  run.accepted = std::move(accepted);
  for (int i = 0; i < 100; ++i) run.latency.add(latency);
  return run;
}

// t(0.975) for 2 and 4 degrees of freedom is 4.303 and 2.776.
TEST(Estimate, HasTheConfidenceIntervalOfStudent) {
  const std::vector<double> three = {1, 2, 3};
  EXPECT_DOUBLE_EQ(estimate(three).mean, 2);
  EXPECT_NEAR(estimate(three).margin, 4.303 / std::sqrt(3.0), 1e-3);
  const std::vector<double> five = {10, 10, 10, 10, 15};
  EXPECT_DOUBLE_EQ(estimate(five).mean, 11);
  EXPECT_NEAR(estimate(five).margin, 2.776 * std::sqrt(5.0) / std::sqrt(5.0), 1e-3);
  const std::vector<double> one = {7};
  EXPECT_TRUE(std::isinf(estimate(one).margin));
  // t(0.975) for 59 is 2.001: between the table and the normal distribution.
  std::vector<double> many(60);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = i % 2 == 0 ? 1 : -1;
  EXPECT_NEAR(estimate(many).margin, 2.001 * std::sqrt(60.0 / 59 / 60), 1e-3);
}

TEST(LoadPoint, AveragesOverSeeds) {
  const std::vector<RunResult> runs = {run_of({400, 300}, {390, 310}, 5),
                                       run_of({420, 280}, {410, 290}, 7)};
  const LoadPoint point = make_load_point(0.35, runs);
  EXPECT_EQ(point.outcome, LoadOutcome::stable);
  EXPECT_DOUBLE_EQ(point.offered.mean, 0.35);
  EXPECT_DOUBLE_EQ(point.accepted.mean, 0.35);
  EXPECT_DOUBLE_EQ(point.min_node_accepted, 0.3);
  EXPECT_DOUBLE_EQ(point.mean_latency.mean, 6);
  EXPECT_DOUBLE_EQ(point.p99_latency.mean, 6);
  EXPECT_EQ(point.cycles, 3000U);
}

TEST(LoadPoint, NodesThatSendNothingDoNotStarve) {
  const std::vector<RunResult> runs = {run_of({400, 0}, {400, 0}, 5)};
  EXPECT_DOUBLE_EQ(make_load_point(0.2, runs).min_node_accepted, 0.4);
}

TEST(LoadPoint, TellsSaturationDrainingAndDeadlockApart) {
  std::vector<RunResult> runs = {run_of({900, 900}, {850, 850}, 500)};
  EXPECT_EQ(make_load_point(0.9, runs).outcome, LoadOutcome::saturated);
  EXPECT_EQ(make_load_point(0.9, runs).mean_latency.mean, 0) << "averaged though saturated";
  runs = {run_of({900, 900}, {900, 900}, 500)};
  runs[0].unfinished = 3;
  EXPECT_EQ(make_load_point(0.9, runs).outcome, LoadOutcome::draining);
  runs[0].stuck = true;
  EXPECT_EQ(make_load_point(0.9, runs).outcome, LoadOutcome::stuck);
}

TEST(LoadPoint, SaysWhenTheMeasurementWasTooShortToTell) {
  std::vector<RunResult> runs = {run_of({900, 900}, {850, 850}, 500)};
  // The same growth in one part: no drift, but no steady state either.
  runs[0].growth = {100};
  EXPECT_EQ(make_load_point(0.9, runs).outcome, LoadOutcome::undecided);
  EXPECT_EQ(make_load_point(0.9, runs).mean_latency.mean, 0) << "averaged though undecided";
  runs[0].growth = {30, -10};  // of 1800: it varies about a level
  EXPECT_EQ(make_load_point(0.9, runs).outcome, LoadOutcome::stable);
  runs = {run_of({0, 0}, {0, 0}, 0)};
  runs[0].latency = {};
  EXPECT_EQ(make_load_point(1e-9, runs).outcome, LoadOutcome::undecided);
}

TEST(LoadPoint, WhatEndsByItselfDoesNotSaturate) {
  std::vector<RunResult> runs = {run_of({900, 900}, {850, 850}, 500)};
  runs[0].finite = true;
  EXPECT_EQ(make_load_point(0, runs).outcome, LoadOutcome::stable);
}

LoadSweep sweep_with_knee(double knee, int& measurements) {
  measurements = 0;
  return sweep_load([&](double load) {
    ++measurements;
    LoadPoint point;
    point.load = load;
    point.outcome = load <= knee ? LoadOutcome::stable : LoadOutcome::saturated;
    return point;
  });
}

TEST(LoadSweep, FindsTheKnee) {
  int measurements = 0;
  for (const double knee : {0.004, 0.03, 0.1, 0.437, 0.5, 0.602, 0.875, 0.95, 0.999, 1.0}) {
    const LoadSweep sweep = sweep_with_knee(knee, measurements);
    EXPECT_LE(measurements, 16) << knee;
    EXPECT_EQ(sweep.points.back().load, 1);
    for (std::size_t i = 1; i < sweep.points.size(); ++i) {
      EXPECT_LT(sweep.points[i - 1].load, sweep.points[i].load);
    }
    if (knee < 0.01) {
      EXPECT_FALSE(sweep.saturation_load) << knee;
    } else {
      ASSERT_TRUE(sweep.saturation_load) << knee;
      EXPECT_LE(*sweep.saturation_load, knee);
      EXPECT_GT(*sweep.saturation_load, knee - 0.0101);
    }
  }
}

TEST(LoadSweep, EndsWhenTheNetworkIsStuck) {
  const LoadSweep sweep = sweep_load([](double load) {
    LoadPoint point;
    point.load = load;
    point.outcome = load < 0.35 ? LoadOutcome::stable : LoadOutcome::stuck;
    return point;
  });
  EXPECT_EQ(sweep.points.size(), 4U);
  EXPECT_DOUBLE_EQ(*sweep.saturation_load, 0.3);
}

}  // namespace
}  // namespace weft::verif
