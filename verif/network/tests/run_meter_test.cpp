// SPDX-License-Identifier: Apache-2.0
#include "verif/network/run_meter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "verif/random.h"

namespace weft::verif {
namespace {

Injection packet(std::uint64_t cycle, int source, int destination, int flits) {
  return {.cycle = cycle, .source = source, .destination = destination, .flits = flits};
}

/// A queue that takes a flit in a cycle with probability `in` and gives one with probability `out`.
RunResult queue_run(double in, double out, std::uint64_t cycles, std::uint64_t seed) {
  Random random(seed);
  RunResult run;
  run.measurement = cycles;
  std::int64_t waiting = 0;
  std::uint64_t came = 0;
  std::uint64_t went = 0;
  const auto chance = [&](double p) {
    return static_cast<double>(random.bits() >> 11) < p * std::pow(2.0, 53);
  };
  for (std::uint64_t t = 0; t < cycles; ++t) {
    std::int64_t& step = run.growth[t * RunResult::parts / cycles];
    if (chance(in)) {
      ++waiting;
      ++came;
      ++step;
    }
    if (waiting > 0 && chance(out)) {
      --waiting;
      ++went;
      --step;
    }
  }
  run.offered = {came};
  run.accepted = {went};
  return run;
}

TEST(LatencyHistogram, MeanAndPercentiles) {
  LatencyHistogram histogram;
  EXPECT_EQ(histogram.mean(), 0);
  EXPECT_EQ(histogram.percentile(0.99), 0U);
  for (std::uint64_t latency = 1; latency <= 200; ++latency) histogram.add(latency);
  EXPECT_EQ(histogram.count(), 200U);
  EXPECT_DOUBLE_EQ(histogram.mean(), 100.5);
  EXPECT_EQ(histogram.percentile(0.5), 100U);
  EXPECT_EQ(histogram.percentile(0.99), 198U);
  EXPECT_EQ(histogram.percentile(1), 200U);
}

TEST(RunMeter, CountsThePhases) {
  RunMeter meter(2, {.warmup = 10, .measurement = 80, .drain = 100});
  const Injection before = packet(9, 0, 1, 3);
  const Injection first = packet(10, 0, 1, 4);
  const Injection last = packet(89, 1, 0, 5);
  const Injection after = packet(90, 1, 0, 6);
  // Cycle by cycle, as runs do it.
  EXPECT_TRUE(meter.goes_on(9));
  meter.created(before);
  EXPECT_TRUE(meter.goes_on(10));
  meter.created(first);
  EXPECT_TRUE(meter.goes_on(12));
  meter.delivered(before, 12);
  EXPECT_TRUE(meter.goes_on(20));
  meter.delivered(first, 20);
  EXPECT_TRUE(meter.goes_on(89));
  meter.created(last);
  EXPECT_TRUE(meter.goes_on(90)) << "a measured packet is under way";
  meter.created(after);
  meter.delivered(last, 100);
  EXPECT_FALSE(meter.goes_on(101));
  const RunResult result = meter.finish(101);
  EXPECT_EQ(result.offered, (std::vector<std::uint64_t>{4, 5}));
  EXPECT_EQ(result.accepted, (std::vector<std::uint64_t>{7, 0}));
  EXPECT_EQ(result.received, (std::vector<std::uint64_t>{0, 7}));
  EXPECT_EQ(result.latency.count(), 2U);
  EXPECT_DOUBLE_EQ(result.latency.mean(), (10 + 11) / 2.0);
  EXPECT_EQ(result.unfinished, 0U);
  EXPECT_EQ(result.growth, (std::array<std::int64_t, 8>{4 - 3, -4, 0, 0, 0, 0, 0, 5}));
  EXPECT_FALSE(result.stuck);
}

TEST(RunMeter, EndsWhenNothingMovesAnyMore) {
  RunMeter meter(2, {.warmup = 0, .measurement = 100000, .drain = 100, .patience = 50});
  for (std::uint64_t now = 0; now <= 1000; ++now) EXPECT_TRUE(meter.goes_on(now)) << "idle";
  meter.created(packet(1000, 0, 1, 1));
  EXPECT_TRUE(meter.goes_on(1049));
  EXPECT_FALSE(meter.goes_on(1051));
  const RunResult result = meter.finish(1051);
  EXPECT_TRUE(result.stuck);
  EXPECT_EQ(result.unfinished, 1U);
}

TEST(RunMeter, WhatEndsByItselfIsMeasuredToItsEnd) {
  RunMeter meter(1, {.warmup = 0, .measurement = 10, .drain = 1000, .finite = true});
  for (std::uint64_t now = 0; now < 10; ++now) {
    EXPECT_TRUE(meter.goes_on(now));
    meter.created(packet(now, 0, 0, 1));
  }
  for (std::uint64_t now = 10; now < 110; now += 10) {
    EXPECT_TRUE(meter.goes_on(now));
    meter.delivered(packet(now / 10 - 1, 0, 0, 1), now);
  }
  EXPECT_FALSE(meter.goes_on(110));
  const RunResult result = meter.finish(110);
  EXPECT_EQ(result.accepted, (std::vector<std::uint64_t>{10}));
  EXPECT_EQ(result.measurement, 101U);
  EXPECT_EQ(result.cycles, 110U);
}

TEST(RunMeter, DrainingHasItsLimit) {
  RunMeter meter(1, {.warmup = 0, .measurement = 100, .drain = 30});
  meter.created(packet(50, 0, 0, 1));
  EXPECT_TRUE(meter.goes_on(129));
  EXPECT_FALSE(meter.goes_on(130));
  EXPECT_FALSE(meter.finish(130).stuck);
}

TEST(Overloaded, TellsGrowthFromVariation) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto pair = [&](double in, double out) {
      return std::vector<RunResult>{queue_run(in, out, 20000, seed),
                                    queue_run(in, out, 20000, seed + 100)};
    };
    EXPECT_TRUE(overloaded(pair(0.55, 0.5), 0.01)) << seed;
    // Queues that vary a lot, and so few packets that those under way are a large share.
    EXPECT_FALSE(overloaded(pair(0.47, 0.5), 0.01)) << seed;
    EXPECT_FALSE(overloaded(pair(0.001, 0.01), 0.01)) << seed;
  }
}

}  // namespace
}  // namespace weft::verif
