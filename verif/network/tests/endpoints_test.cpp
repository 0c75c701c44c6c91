// SPDX-License-Identifier: Apache-2.0
//
// The parts of a switch's endpoints, each against its own description. What they notice together is
// tested where there are switches to spoil (testbenches/switch).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <iostream>
#include <random>
#include <vector>

#include "base/tests/run_seed.h"
#include "verif/network/flit_format.h"
#include "verif/network/packet_pool.h"
#include "verif/network/sink_ports.h"
#include "verif/network/switch_endpoints.h"
#include "verif/network/switch_targets.h"
#include "verif/random.h"

namespace weft::verif {
namespace {

TEST(PacketQueues, AreQueues) {
  Random random(weft::test::run_seed());
  PacketQueues queues(5);
  std::array<std::deque<std::uint32_t>, 5> expected;
  std::uint32_t next = 0;
  for (int step = 0; step < 20000; ++step) {
    const std::size_t q = random.below(5);
    std::deque<std::uint32_t>& model = expected[q];
    ASSERT_EQ(queues.empty(q), model.empty());
    if (random.chance(50)) {
      queues.push(q, next);
      model.push_back(next++);
    } else if (!model.empty() && random.chance(70)) {
      ASSERT_EQ(queues.front(q), model.front());
      ASSERT_EQ(queues.pop(q), model.front());
      model.pop_front();
    } else if (!model.empty()) {
      const std::size_t place = random.below(model.size());
      const std::uint32_t packet = model[place];
      ASSERT_EQ(queues.find(q, [packet](std::uint32_t one) { return one == packet; }), packet);
      queues.remove(q, packet);
      model.erase(model.begin() + static_cast<std::ptrdiff_t>(place));
    }
  }
}

/// The result's lanes, one by one.
std::uint32_t lane_result(arch::PacketOp op, std::uint32_t a, std::uint32_t b) {
  const auto x = static_cast<std::int64_t>(static_cast<std::int32_t>(a));
  const auto y = static_cast<std::int64_t>(static_cast<std::int32_t>(b));
  if (op == arch::PacketOp::sum) return static_cast<std::uint32_t>(x + y);
  return static_cast<std::uint32_t>(op == arch::PacketOp::min ? std::min(x, y) : std::max(x, y));
}

TEST(FlitFormat, KnowsWhatGroupsReduceTo) {
  arch::Switch design;
  design.ports = 5;
  design.flit_width = 160;
  design.in_network_reduction = true;
  design = arch::resolved(design);
  SwitchTargets targets(design);
  const FlitFormat format(design, targets, true, weft::test::run_seed());
  for (const arch::PacketOp op : {arch::PacketOp::sum, arch::PacketOp::min, arch::PacketOp::max}) {
    arch::Header header;
    header.op = op;
    header.mask.set(0).set(2).set(3);
    const int group = targets.add(header);
    std::array<Packet, 3> members;
    for (std::size_t m = 0; m < members.size(); ++m) {
      members[m].injection = {
          .source = m == 0 ? 0 : static_cast<int>(m) + 1, .destination = group, .flits = 4};
      members[m].ordinal = 9;
    }
    for (int flit = 1; flit < 4; ++flit) {
      std::array<std::uint64_t, 3> result{};
      for (std::size_t m = 0; m < members.size(); ++m) {
        std::array<std::uint64_t, 3> words{};
        format.write(members[m], flit, words.data());
        EXPECT_EQ(words[2] >> 32, 0U) << "bits beyond the flit";
        for (std::size_t lane = 0; lane < 5; ++lane) {
          const std::size_t shift = 32 * (lane % 2);
          const auto a = static_cast<std::uint32_t>(result[lane / 2] >> shift);
          const auto b = static_cast<std::uint32_t>(words[lane / 2] >> shift);
          const std::uint64_t y = m == 0 ? b : lane_result(op, a, b);
          result[lane / 2] =
              (result[lane / 2] & ~(std::uint64_t{0xFFFFFFFF} << shift)) | y << shift;
        }
      }
      for (const Packet& member : members) {
        EXPECT_TRUE(format.leaves_as(member, flit, result.data()));
      }
      for (int bit = 0; bit < 160; ++bit) {
        result[static_cast<std::size_t>(bit / 64)] ^= std::uint64_t{1} << (bit % 64);
        EXPECT_FALSE(format.leaves_as(members[0], flit, result.data()));
        result[static_cast<std::size_t>(bit / 64)] ^= std::uint64_t{1} << (bit % 64);
      }
    }
  }
}

TEST(FlitFormat, HeadsCarryHeaderAndOrigin) {
  arch::Switch design;
  design.ports = 6;
  design.virtual_channels = 3;
  design.flit_width = 24;
  design.routing = arch::Routing::source;
  design.max_hops = 3;
  design = arch::resolved(design);
  SwitchTargets targets(design);
  const int target = targets.add({.route = 0b101'010'100});  // here 4, then 2, then 5
  const FlitFormat format(design, targets, true, 1);
  Packet packet;
  packet.injection = {.source = 5, .destination = target, .flits = 1};
  packet.vc = 2;
  std::uint64_t head = 0;
  format.write(packet, 0, &head);
  EXPECT_EQ(head & 0x1FF, 0b101'010'100U);
  EXPECT_FALSE(format.leaves_as(packet, 0, &head)) << "the port here is used up";
  const std::uint64_t leaving = (head & ~std::uint64_t{0x1FF}) | 0b101'010;
  EXPECT_TRUE(format.leaves_as(packet, 0, &leaving));
  EXPECT_EQ(format.tag(&leaving).origin, 5 * 3 + 2);
  EXPECT_FALSE(format.tag(&leaving).collective);
  EXPECT_EQ(targets[target].choice(0).first, 4);
}

TEST(SinkPorts, ReturnCreditsInTime) {
  arch::Switch design;
  design.ports = 2;
  design.buffer_depth = 4;
  design = arch::resolved(design);
  const arch::PinLayout layout(design);
  for (const unsigned delay : {0U, 1U, 7U}) {
    EndpointOptions options;
    options.credit_delay = delay;
    SinkPorts sinks(design, options);
    arch::SwitchInputs inputs(layout);
    Violations violations;
    for (std::uint64_t now = 0; now < 30; ++now) {
      sinks.drive(inputs, now);
      EXPECT_EQ(inputs.accept[1] != 0, now == 5 + 1 + delay) << now << " " << delay;
      EXPECT_EQ(inputs.accept[0], 0);
      EXPECT_EQ(sinks.held(1, 0), now > 5 && now < 5 + 1 + delay ? 1 : 0);
      if (now == 5) sinks.received(1, 0, now, violations);
    }
    EXPECT_FALSE(violations.any());
    for (int flit = 0; flit < 5; ++flit) sinks.received(0, 0, 30, violations);
    EXPECT_EQ(violations.first_kind(), Violation::credit) << "five flits, four places";
  }
}

TEST(SwitchEndpoints, SendOnlyWithCredits) {
  arch::Switch design;
  design.ports = 2;
  design.buffer_depth = 3;
  design.max_packet_flits = 8;
  design = arch::resolved(design);
  SwitchEndpoints endpoints(design);
  arch::SwitchOutputs silent{arch::PinLayout(design)};
  endpoints.offer({.cycle = 0, .source = 1, .destination = 0, .flits = 8});
  int sent = 0;
  for (int cycle = 0; cycle < 40; ++cycle) {
    const arch::SwitchInputs& inputs = endpoints.drive();
    sent += inputs.valid[1];
    EXPECT_EQ(inputs.valid[0], 0);
    silent.queue[1] = cycle == 20 ? 1 : 0;  // a credit for output 0
    endpoints.take(silent);
    EXPECT_EQ(sent, cycle < 3 ? cycle + 1 : cycle <= 20 ? 3 : 4);
  }
  EXPECT_EQ(endpoints.outstanding(), 1U);
  EXPECT_FALSE(endpoints.drained());
}

TEST(SwitchEndpoints, HoldTheirOfferUntilReady) {
  arch::Switch design;
  design.ports = 2;
  design.flow_control = arch::FlowControl::ready_valid;
  design.max_packet_flits = 2;
  design = arch::resolved(design);
  SwitchEndpoints endpoints(design);
  arch::SwitchOutputs outputs{arch::PinLayout(design)};
  endpoints.offer({.cycle = 0, .source = 0, .destination = 1, .flits = 2});
  endpoints.offer({.cycle = 0, .source = 0, .destination = 0, .flits = 1});
  const std::uint64_t first = endpoints.drive().flit[0];
  for (int cycle = 0; cycle < 5; ++cycle) {
    const arch::SwitchInputs& inputs = endpoints.drive();
    EXPECT_EQ(inputs.valid[0], 1);
    EXPECT_EQ(inputs.head[0], 1);
    EXPECT_EQ(inputs.flit[0], first) << "an offer must stay";
    outputs.queue[0] = cycle == 4 ? 0b11 : 0;
    endpoints.take(outputs);
  }
  EXPECT_EQ(endpoints.sources().flits_sent(0), 1U);
}

}  // namespace
}  // namespace weft::verif
