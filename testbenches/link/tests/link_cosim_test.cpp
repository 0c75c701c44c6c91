// SPDX-License-Identifier: Apache-2.0
// RTL against model and scoreboard: chosen and random configurations.
#include "testbenches/link/link_cosim.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

namespace weft::verif {
namespace {

std::uint64_t seed() {
  const char* given = std::getenv("WEFT_TEST_SEED");
  const std::uint64_t value =
      given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device{}();
  std::cout << "WEFT_TEST_SEED=" << value << "\n";
  return value;
}

std::string describe(const arch::Link& link) {
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
                               << describe(link);
  std::cout << to_json(report).dump() << "\n";
}

TEST(LinkCosim, DefaultLink) {
  const arch::Link link = arch::resolved({});
  expect_pass(link, emitted_rtl(link), seed(), 5000);
}

TEST(LinkCosim, RandomLinks) {
  const std::uint64_t from = seed();
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
    std::cout << describe(link) << "\n";
    expect_pass(link, emitted_rtl(link), from + static_cast<std::uint64_t>(i), 1000);
  }
}

}  // namespace
}  // namespace weft::verif
