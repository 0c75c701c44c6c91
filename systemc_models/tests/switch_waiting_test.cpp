// SPDX-License-Identifier: Apache-2.0
// Who waits for whom: situations made by hand, each with its only possible description.
#include <gtest/gtest.h>

#include <bitset>
#include <vector>

#include "systemc_models/switch/cycle_switch.h"

namespace weft::models {
namespace {

using arch::PacketOp;
using arch::PortSet;

class Stalled {
 public:
  explicit Stalled(arch::Switch design)
      : design_(arch::resolved(std::move(design))),
        model(design_),
        layout_(design_),
        inputs_(layout_) {}

  // A flit in the next cycle.
  void put(int input, const arch::Header& header, bool head, bool tail, int vc = 0) {
    inputs_.valid[input] = 1;
    inputs_.head[input] = head;
    inputs_.tail[input] = tail;
    inputs_.vc[input] = static_cast<std::uint8_t>(vc);
    if (head) {
      const auto words = static_cast<std::size_t>(layout_.flit_words);
      arch::write_header(design_, header, std::span(inputs_.flit).subspan(input * words, words));
    }
  }
  // Cycles in which nothing comes back from the next hops.
  void run(int cycles) {
    for (int t = 0; t < cycles; ++t) {
      model.cycle(inputs_);
      std::fill(inputs_.valid.begin(), inputs_.valid.end(), std::uint8_t{0});
    }
  }
  Waiting at(int input) const {
    for (const Waiting& waiting : model.waiting()) {
      if (waiting.who.input == input) return waiting;
    }
    ADD_FAILURE() << "input " << input << " does not wait";
    return {};
  }

 private:
  arch::Switch design_;

 public:
  CycleSwitch model;

 private:
  arch::PinLayout layout_;
  arch::SwitchInputs inputs_;
};

arch::Switch small_switch() {
  arch::Switch design;
  design.ports = 4;
  design.organisation = arch::Organisation::input_queued;
  design.buffer_depth = 4;
  return design;
}

arch::Header to(int output) {
  arch::Header header;
  header.route = static_cast<std::uint64_t>(output);
  return header;
}

arch::Header to_all(PacketOp op, PortSet ports) {
  arch::Header header;
  header.op = op;
  header.mask = ports;
  return header;
}

TEST(SwitchWaiting, ForCredit) {
  arch::Switch design = small_switch();
  design.credits = 1;
  Stalled stalled(design);
  for (int k = 0; k < 2; ++k) {
    stalled.put(2, to(1), true, true);
    stalled.run(1);
  }
  stalled.run(5);
  ASSERT_EQ(stalled.model.waiting().size(), 1u);
  const Waiting waiting = stalled.at(2);
  EXPECT_EQ(waiting.reason, WaitReason::credit);
  EXPECT_EQ(waiting.outputs, PortSet(0b0010));
  EXPECT_TRUE(waiting.holders.empty());
}

TEST(SwitchWaiting, ForAChannelThatAnotherPacketHoldsWhileItLacksFlits) {
  Stalled stalled(small_switch());
  stalled.put(0, to(3), true, false);
  stalled.run(3);
  stalled.put(1, to(3), true, true);
  stalled.run(3);
  const Waiting blocked = stalled.at(1);
  EXPECT_EQ(blocked.reason, WaitReason::held_vc);
  ASSERT_EQ(blocked.holders.size(), 1u);
  EXPECT_EQ(blocked.holders[0].input, 0);
  const Waiting holder = stalled.at(0);
  EXPECT_EQ(holder.reason, WaitReason::own_flits);
  EXPECT_EQ(holder.outputs, PortSet(0b1000));
}

TEST(SwitchWaiting, ForArbitration) {
  Stalled stalled(small_switch());
  stalled.put(0, to(3), true, true);
  stalled.put(1, to(3), true, true);
  stalled.run(2);
  ASSERT_EQ(stalled.model.waiting().size(), 1u);
  EXPECT_EQ(stalled.at(1).reason, WaitReason::arbitration);
}

TEST(SwitchWaiting, ForTheTailThatStoreAndForwardWants) {
  arch::Switch design = small_switch();
  design.switching = arch::Switching::store_and_forward;
  design.max_packet_flits = 4;
  Stalled stalled(design);
  stalled.put(0, to(3), true, false);
  stalled.run(3);
  EXPECT_EQ(stalled.at(0).reason, WaitReason::own_flits);
  stalled.put(0, to(3), false, true);
  stalled.run(6);
  EXPECT_TRUE(stalled.model.waiting().empty());
}

TEST(SwitchWaiting, ForMembersOfAReduction) {
  arch::Switch design = small_switch();
  design.in_network_reduction = true;
  Stalled stalled(design);
  stalled.put(0, to_all(PacketOp::sum, 0b1101), true, true);
  stalled.put(2, to_all(PacketOp::sum, 0b1101), true, true);
  stalled.run(4);
  const Waiting waiting = stalled.at(0);
  EXPECT_EQ(waiting.reason, WaitReason::members);
  EXPECT_EQ(waiting.outputs, PortSet(0b1000));
  stalled.put(3, to_all(PacketOp::sum, 0b1101), true, true);
  stalled.run(16);
  EXPECT_TRUE(stalled.model.waiting().empty());
}

TEST(SwitchWaiting, OfMulticasts) {
  arch::Switch design = small_switch();
  design.multicast = true;
  design.credits = 1;
  Stalled stalled(design);
  stalled.put(1, to(3), true, true);
  stalled.run(3);
  stalled.put(0, to_all(PacketOp::multicast, 0b1100), true, true);
  stalled.put(2, to_all(PacketOp::multicast, 0b0011), true, true);
  stalled.run(4);
  const Waiting sending = stalled.at(0);
  EXPECT_EQ(sending.reason, WaitReason::credit);
  EXPECT_EQ(sending.outputs, PortSet(0b1100));
  EXPECT_EQ(stalled.at(2).reason, WaitReason::collective);
}

TEST(SwitchWaiting, AFlitWithoutACreditIsRefused) {
  arch::Switch design = small_switch();
  design.credits = 1;
  Stalled stalled(design);
  const auto send_all = [&] {
    for (int k = 0; k < 10; ++k) {
      stalled.put(0, to(1), true, true);
      stalled.run(1);
    }
  };
  EXPECT_THROW(send_all(), std::logic_error);
}

}  // namespace
}  // namespace weft::models
