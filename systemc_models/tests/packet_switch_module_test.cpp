// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 module of the packet model: packets enter and leave at the times of the plain model,
// whatever cycles it leaves out; back pressure.
#include "systemc_models/packet_switch_module.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "arch/config.h"
#include "base/error.h"
#include "systemc_models/tests/switch_platform.h"
#include "systemc_models/tests/systemc_main.h"

namespace weft::models {
namespace {

using testing::any_experiment;
using testing::Data;
using testing::expect;
using testing::expect_same_times;
using testing::Experiment;
using testing::flit_bytes;
using testing::Packet;
using testing::Packets;
using testing::period;
using testing::Reference;
using testing::run_in_child;
using testing::Sink;
using Platform = testing::Platform<PacketSwitchModule>;

const arch::Narrowed unicast{{"multicast", arch::Boolean{{false}}}};

// The same packets through the plain model, every cycle, with next hops that take everything.
Reference run_plain(const Experiment& e) {
  const arch::Switch& design = e.design;
  const int n = design.ports;
  const int vcs = design.virtual_channels;
  const auto model = make_packet_switch(design, PacketSwitch::explicit_credits);
  struct Slot {
    int packet = -1;
    int output = 0;
    bool offered = false;
    std::uint64_t tail = 0;
  };
  Reference reference;
  std::vector<std::vector<Slot>> slots(n, std::vector<Slot>(vcs));
  std::vector<std::size_t> next(n);
  std::vector<int> turn(n);
  std::vector<std::multimap<std::uint64_t, Packet>> leaving(n);  // by cycle of the tail
  for (const Packets& packets : e.sent) reference.entered.emplace_back(packets.size());
  std::vector<PacketDeparture> departures;
  for (std::uint64_t t = 0; t < e.cycles; ++t) {
    model->advance(t, departures);
    for (const PacketDeparture& departure : departures) {
      const SwitchPacket& left = departure.packet;
      Packet packet = e.sent[left.input][left.tag];
      std::vector<std::uint64_t> head(static_cast<std::size_t>(design.flit_width + 63) / 64);
      std::copy_n(packet.data.begin(), flit_bytes(design),
                  reinterpret_cast<unsigned char*>(head.data()));
      arch::write_header(design, arch::forwarded(design, arch::read_header(design, head)), head);
      std::copy_n(reinterpret_cast<const unsigned char*>(head.data()), flit_bytes(design),
                  packet.data.begin());
      packet.cycle = departure.tail;
      leaving[left.output].emplace(departure.tail, packet);
      model->give_room(left.output, left.vc, left.flits,
                       departure.head + (design.flow_control == arch::FlowControl::credit ? 2 : 1));
    }
    departures.clear();
    for (int i = 0; i < n; ++i) {
      const auto finish = [&](Slot& slot, int vc) {
        if (!slot.offered || slot.tail > t || model->room(i, slot.output, vc) < 0) return;
        reference.entered[i][slot.packet] = t;
        slot = {};
      };
      const auto fill = [&](std::size_t most) {
        for (std::size_t k = 0; k < most && next[i] < e.sent[i].size(); ++k) {
          const Packet& packet = e.sent[i][next[i]];
          Slot& slot = slots[i][packet.vc];
          if (packet.cycle > t || slot.packet >= 0) return;
          std::vector<std::uint64_t> head(static_cast<std::size_t>(design.flit_width + 63) / 64);
          std::copy_n(packet.data.begin(), flit_bytes(design),
                      reinterpret_cast<unsigned char*>(head.data()));
          slot.packet = static_cast<int>(next[i]++);
          slot.output = arch::route(design, arch::read_header(design, head), i).first;
        }
      };
      // What was offered before this cycle; then the one packet that waited for a VC's end. Its
      // successor is offered when it has the VC, in the next cycle.
      fill(e.sent[i].size());
      const std::size_t waiting = next[i];
      for (int vc = 0; vc < vcs; ++vc) {
        finish(slots[i][vc], vc);
        if (next[i] == waiting) fill(1);
      }
      if ((model->free_inputs()[0] >> i & 1) == 0) continue;
      for (int k = 0; k < vcs; ++k) {
        const int vc = (turn[i] + k) % vcs;
        Slot& slot = slots[i][vc];
        if (slot.packet < 0 || slot.offered || model->room(i, slot.output, vc) <= 0) continue;
        const Packet& packet = e.sent[i][slot.packet];
        const int flits = static_cast<int>(packet.data.size() / flit_bytes(design));
        turn[i] = (vc + 1) % vcs;
        slot.offered = true;
        slot.tail = t + flits - 1;
        model->offer({static_cast<std::uint64_t>(slot.packet), i, slot.output, vc, flits}, t);
        finish(slot, vc);
        break;
      }
    }
  }
  for (const auto& packets : leaving) {
    reference.arrived.emplace_back();
    for (const auto& [cycle, packet] : packets) reference.arrived.back().push_back(packet);
  }
  return reference;
}

TEST(PacketSwitchModuleTest, PacketsMoveAtTheTimesOfThePlainModel) {
  const std::uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  for (int k = 0; k < 60; ++k) {
    const Experiment e = any_experiment(random, unicast);
    EXPECT_TRUE(run_in_child([&] {
      const Reference reference = run_plain(e);
      Platform platform(e, false, sc_core::SC_ZERO_TIME);
      sc_core::sc_start(e.cycles * period());
      expect_same_times(platform, e, reference);
    })) << "seed "
        << seed << ", experiment " << k << "\n"
        << arch::canonical_form(arch::config_of(e.design));
  }
}

// A next hop that never ends its request stops the source; one that is slow loses nothing.
TEST(PacketSwitchModuleTest, ANextHopThatWaitsHoldsTheSourceBack) {
  Experiment e;
  e.design.ports = 2;
  e.design.buffer_depth = 3;
  e.design.credits = 5;
  e.design = arch::resolved(e.design);
  e.sent.resize(2);
  for (int k = 0; k < 60; ++k) {
    Packet packet{0, 0, Data(flit_bytes(e.design))};
    packet.data[0] = 1;  // to output 1
    packet.data[2] = static_cast<unsigned char>(k);
    e.sent[0].push_back(packet);
  }
  EXPECT_TRUE(run_in_child([&] {
    const Sink::Way way = Sink::Way::accepted;
    Platform platform(e, false, sc_core::sc_time(1, sc_core::SC_SEC), &way);
    sc_core::sc_start(1000 * period());
    const auto entered =
        std::ranges::count_if(platform.sources[0]->entered,
                              [](const sc_core::sc_time& t) { return t > sc_core::SC_ZERO_TIME; });
    // As in the cycle model 1 + credits + buffer_depth, and those under way when the wait began:
    // at most the credits' round trip.
    expect(entered >= 9 && entered <= 9 + 6, "packets that entered");
  }));
  EXPECT_TRUE(run_in_child([&] {
    const Sink::Way way = Sink::Way::accepted;
    Platform platform(e, false, 7 * period(), &way);
    sc_core::sc_start(1000 * period());
    const Packets& arrived = platform.sinks[1]->packets;
    expect(arrived.size() == 60, "all arrive");
    for (std::size_t k = 0; k < arrived.size(); ++k) {
      expect(arrived[k].data == e.sent[0][k].data, "in order");
    }
  }));
}

TEST(PacketSwitchModuleTest, CollectivesAreRefused) {
  EXPECT_TRUE(run_in_child([] {
    arch::Switch design;
    design.multicast = true;
    bool refused = false;
    try {
      PacketSwitchModule module("dut", arch::resolved(design), period());
    } catch (const UserError&) {
      refused = true;
    }
    expect(refused, "a UserError");
  }));
}

}  // namespace
}  // namespace weft::models
