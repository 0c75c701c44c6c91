// SPDX-License-Identifier: Apache-2.0
#include "arch/network/switch_timing.h"

#include <gtest/gtest.h>

#include <deque>
#include <utility>

#include "arch/network/routing.h"
#include "arch/network/switch_pins.h"

namespace weft::arch {
namespace {

TEST(SwitchTiming, HasTheStagesOfTheContract) {
  struct Case {
    int pipeline, input_stages, output_stages;
  };
  for (const auto& [pipeline, input_stages, output_stages] :
       {Case{1, 0, 0}, Case{2, 0, 1}, Case{3, 1, 1}, Case{4, 1, 2}}) {
    Switch s;
    s.pipeline = pipeline;
    EXPECT_EQ(SwitchTiming(s).input_stages, input_stages);
    EXPECT_EQ(SwitchTiming(s).output_stages, output_stages);
    EXPECT_EQ(SwitchTiming(s).latency, 2 + input_stages + output_stages);
    s.lookahead_routing = true;
    EXPECT_EQ(SwitchTiming(s).latency, 2 + output_stages);
    s.lookahead_routing = false;
    s.flow_control = FlowControl::ready_valid;
    EXPECT_EQ(SwitchTiming(s).output_fifo_depth, output_stages + 2);
    EXPECT_EQ(SwitchTiming(s).vc_throughput, 1.0);
    s.organisation = Organisation::crossbar;
    if (pipeline <= 2) EXPECT_EQ(SwitchTiming(s).latency, 1 + output_stages);
  }
}

TEST(SwitchTiming, ResultsPassALevelOfTheTreeACycle) {
  for (const auto& [ports, levels] : {std::pair{2, 1}, {3, 2}, {4, 2}, {5, 3}, {16, 4}, {128, 7}}) {
    Switch s;
    s.ports = ports;
    EXPECT_EQ(SwitchTiming(s).result_places, 0);
    s.in_network_reduction = true;
    EXPECT_EQ(SwitchTiming(s).result_stages, 1 + levels) << ports;
    EXPECT_EQ(SwitchTiming(s).result_places, 5 + levels) << ports;
  }
}

/// Flits of one VC a cycle between two switches, walked through cycle by cycle.
double walked_throughput(const Switch& s, int d_in, int d_out) {
  constexpr int cycles = 3000;
  std::deque<int> credit_usable;  // in which cycles
  int credits = s.credits;
  int sent = 0;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    while (!credit_usable.empty() && credit_usable.front() <= cycle) {
      credit_usable.pop_front();
      ++credits;
    }
    if (credits == 0) continue;
    --credits;
    ++sent;
    const int on_output = cycle + 1 + d_out;
    const int on_next_input = on_output + s.link_latency;
    const int departs_there = on_next_input + 1 + d_in;
    const int credit_there = departs_there + 1;
    const int credit_here = credit_there + s.link_latency;
    credit_usable.push_back(credit_here + 1);
  }
  return static_cast<double>(sent) / cycles;
}

TEST(SwitchTiming, RoundTripIsThatOfAWalk) {
  constexpr int d_in[] = {0, 0, 1, 1};
  constexpr int d_out[] = {0, 1, 1, 2};
  for (const int pipeline : {1, 2, 3, 4}) {
    for (const int link : {0, 1, 3, 10}) {
      for (const int credits : {1, 2, 5, 8, 13, 40}) {
        Switch s;
        s.pipeline = pipeline;
        s.link_latency = link;
        s.credits = credits;
        EXPECT_NEAR(SwitchTiming(s).vc_throughput,
                    walked_throughput(s, d_in[pipeline - 1], d_out[pipeline - 1]), 0.01)
            << pipeline << ' ' << link << ' ' << credits;
      }
    }
  }
}

TEST(Queues, AreThoseOfTheOrganisation) {
  Switch s;
  s.ports = 6;
  s.virtual_channels = 3;
  s.organisation = Organisation::input_queued;
  EXPECT_EQ(queues(s), 3);
  EXPECT_EQ(queue_index(s, 5, 2, false), 2);
  s.organisation = Organisation::central_buffer;
  EXPECT_EQ(queues(s), 3);
  s.organisation = Organisation::output_queued;
  EXPECT_EQ(queues(s), 18);
  EXPECT_EQ(queue_index(s, 5, 2, false), 17);
  s.organisation = Organisation::virtual_output_queued;
  EXPECT_EQ(queues(s), 18);
  EXPECT_EQ(queue_index(s, 0, 1, false), 1);
  s.in_network_reduction = true;
  EXPECT_EQ(queues(s), 21);
  EXPECT_EQ(queue_index(s, 4, 1, true), 19);
  s.organisation = Organisation::crossbar;
  EXPECT_EQ(queues(s), 1);
}

TEST(Pins, HaveTheSizesOfTheSwitch) {
  Switch s;
  s.ports = 40;
  s.flit_width = 65;
  s.virtual_channels = 2;
  const PinLayout layout(s);
  EXPECT_EQ(layout.flit_words, 2);
  EXPECT_EQ(layout.queues, 80);
  EXPECT_EQ(layout.queue_words, 2);
  const SwitchInputs inputs(layout);
  EXPECT_EQ(inputs.vc.size(), 40U);
  EXPECT_EQ(inputs.flit.size(), 80U);
  EXPECT_EQ(inputs.accept.size(), 80U);
  const SwitchOutputs outputs(layout);
  EXPECT_EQ(outputs.valid.size(), 40U);
  EXPECT_EQ(outputs.flit.size(), 80U);
  EXPECT_EQ(outputs.queue.size(), 80U);
}

}  // namespace
}  // namespace weft::arch
