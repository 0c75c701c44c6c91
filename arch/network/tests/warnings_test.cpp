// SPDX-License-Identifier: Apache-2.0
#include "arch/network/warnings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arch/config.h"

namespace weft::arch {
namespace {

TEST(SwitchWarnings, TellWhatFewCreditsCost) {
  Switch s;
  s.name = "s";
  EXPECT_TRUE(warnings(resolved(s)).empty());
  s.buffer_depth = 3;
  s.link_latency = 2;
  s.pipeline = 2;
  EXPECT_EQ(warnings(config_of(resolved(s))),
            std::vector<std::string>{
                "credits: 3 are fewer than the credit round trip of 9 cycles (link_latency 2, "
                "pipeline 2): a VC carries at most 0.33 flits a cycle; give at least 9"});
  s.buffer_depth = 64;
  s.credits = 16;
  EXPECT_EQ(warnings(resolved(s)),
            std::vector<std::string>{"buffer_depth: 64 is deeper than useful behind such a switch, "
                                     "which has 16 credits and never fills more"});
  s.buffer_depth = 9;
  EXPECT_EQ(warnings(resolved(s)).size(), 1U);
  s.flow_control = FlowControl::ready_valid;
  EXPECT_EQ(warnings(resolved(s)),
            std::vector<std::string>{"credits: 16 means nothing with flow_control: ready_valid"});
  s.credits = 0;
  EXPECT_TRUE(warnings(resolved(s)).empty());
}

TEST(SwitchWarnings, TellWhatMeansNothing) {
  Switch s;
  s.allocator = Allocator::wavefront;
  s.islip_iterations = 4;
  s.up_ports = 2;
  EXPECT_EQ(
      warnings(resolved(s)),
      (std::vector<std::string>{"islip_iterations: 4 means nothing with allocator: wavefront",
                                "up_ports: 2 means nothing with routing: destination_table"}));
}

TEST(LinkWarnings, TellWhatShortBuffersCost) {
  Link link;
  EXPECT_TRUE(warnings(config_of(resolved(link))).empty());
  link.channel_latency = 20;
  link.replay_depth = 16;
  link.buffer_depth = 5;
  const std::vector<std::string> lines = warnings(resolved(link));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with("replay_depth: 16 flits are fewer than")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("buffer_depth: 5 flits are fewer than")) << lines[1];
}

}  // namespace
}  // namespace weft::arch
