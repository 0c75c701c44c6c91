// SPDX-License-Identifier: Apache-2.0
// RTL against model and scoreboard: chosen and random configurations.

#include "testbenches/link/link_cosim.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "base/tests/run_seed.h"
#include "testbenches/link/goodput.h"

namespace weft::verif {
namespace {

class LinkCosim : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WEFT_CACHE", WEFT_BINARY_DIR "/test-cache", 1); }
};

std::string text_of(const arch::Link& link) {
  return fmt::format(
      "flit_width {}, virtual_channels {}, lanes {}, lane_width {}, crc_width {}, "
      "channel_latency {}, replay_depth {}, sequence_width {}, buffer_depth {}, retry_timeout {}, "
      "realign_frames {}, quiet_frames {}",
      link.flit_width, link.virtual_channels, link.lanes, link.lane_width, link.crc_width,
      link.channel_latency, link.replay_depth, link.sequence_width, link.buffer_depth,
      link.retry_timeout, link.realign_frames, link.quiet_frames);
}

void expect_pass(const arch::Link& link, const LinkRtl& rtl, std::uint64_t seed,
                 std::uint64_t transactions) {
  LinkCosimOptions options;
  options.seed = seed;
  options.transactions = transactions;
  const LinkCosimReport report = run_cosim(link, rtl, options);
  EXPECT_TRUE(report.passed()) << report.first_mismatch << "\nseed " << seed << "\n"
                               << text_of(link);
  std::cout << to_json(report).dump() << "\n";
}

TEST_F(LinkCosim, DefaultLink) {
  const arch::Link link = arch::resolved({});
  expect_pass(link, emitted_rtl(link), weft::test::run_seed(), 5000);
}

TEST_F(LinkCosim, RandomLinks) {
  const std::uint64_t from = weft::test::run_seed();
  std::mt19937_64 random(from);
  for (int i = 0; i < 12 && !HasFailure(); ++i) {
    const arch::Link link =
        arch::random_link(random, {{"flit_width", arch::IntRange{16, 140}},
                                   {"virtual_channels", arch::IntRange{1, 5}},
                                   {"lanes", arch::IntRange{1, 8}},
                                   {"lane_width", arch::IntRange{3, 40}},
                                   {"channel_latency", arch::IntRange{1, 9}},
                                   {"replay_depth", arch::IntSet{{2, 4, 8, 16, 32, 64}}},
                                   {"sequence_width", arch::IntRange{2, 9}},
                                   {"buffer_depth", arch::IntRange{1, 30}},
                                   {"retry_timeout", arch::IntRange{20, 300}},
                                   {"realign_frames", arch::IntRange{8, 24}},
                                   {"quiet_frames", arch::IntRange{100, 200}}});
    std::cout << text_of(link) << "\n";
    expect_pass(link, emitted_rtl(link), from + static_cast<std::uint64_t>(i), 1000);
  }
}

// One emission at other sizes.
TEST_F(LinkCosim, OtherSizesThanEmitted) {
  for (const int channels : {1, 3}) {
    arch::Link emitted;
    emitted.virtual_channels = channels;
    emitted = arch::resolved(emitted);
    arch::Link link;
    link.virtual_channels = channels == 1 ? 1 : 4;
    link.flit_width = 41;
    link.lanes = 5;
    link.lane_width = 6;
    link.channel_latency = 2;
    link.buffer_depth = 7;
    link.sequence_width = 7;
    link = arch::resolved(link);
    expect_pass(link, emitted_rtl(emitted, link), weft::test::run_seed(), 500);
  }
}

LinkEnd build(const arch::Link& emitted, const arch::Link& link) {
  LinkEnd end{link, nullptr, describe(link, emitted_rtl(emitted, link))};
  end.library = build_dut(end.description).library;
  return end;
}

// Ends whose parameters differ say which, and stay down.
TEST_F(LinkCosim, EndsThatDisagree) {
  const arch::Link link = arch::resolved({});
  arch::Link other = link;
  --other.buffer_depth;
  LinkBench bench(build(link, link), build(link, other));
  LinkScenario scenario;
  EXPECT_EQ(bench.idle(scenario, 2000), "");
  for (const int end : {0, 1}) {
    EXPECT_FALSE(bench.outputs(end).up);
    EXPECT_EQ(bench.outputs(end).mismatch, 1U << 3);
  }
}

TEST_F(LinkCosim, GoodputIsWhatTheFormulaSays) {
  for (const auto& [lane_width, latency] : {std::pair{16, 1}, {4, 5}}) {
    arch::Link link;
    link.lane_width = lane_width;
    link.channel_latency = latency;
    link = arch::resolved(link);
    const LinkEnd end = build(link, link);
    for (const double rate : {0.0, 1e-5, 1e-4, 1e-3}) {
      const Goodput goodput = measure_goodput(end, rate, 20000, 1);
      EXPECT_EQ(goodput.problem, "");
      EXPECT_NEAR(goodput.deviation(), 0, 0.03) << rate << " " << lane_width;
    }
  }
}

}  // namespace
}  // namespace weft::verif
