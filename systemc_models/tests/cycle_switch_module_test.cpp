// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 module of the switch: packets enter and leave at the times of the plain model,
// through non-blocking and blocking transport; back pressure; payloads that are not packets.
#include "systemc_models/cycle_switch_module.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <string>

#include "arch/config.h"
#include "arch/network/switch_timing.h"
#include "systemc_models/tests/switch_platform.h"
#include "systemc_models/tests/systemc_main.h"

namespace weft::models {
namespace {

using sc_core::sc_time;
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
using Platform = testing::Platform<CycleSwitchModule>;

// The same packets through the plain model, pin by pin.
Reference run_plain(const Experiment& e) {
  const arch::Switch& design = e.design;
  const int n = design.ports;
  const int vcs = design.virtual_channels;
  const bool credit = design.flow_control == arch::FlowControl::credit;
  const arch::PinLayout layout(design);
  CycleSwitch model(design);
  arch::SwitchInputs inputs(layout);
  Reference reference;
  reference.arrived.resize(n);
  struct Slot {
    int packet = -1;
    int sent = 0;
    int queue = 0;
  };
  std::vector<std::vector<Slot>> slots(n, std::vector<Slot>(vcs));
  std::vector<std::size_t> next(n);
  std::vector<int> turn(n);
  std::vector<std::vector<int>> credits(n, std::vector<int>(layout.queues, design.buffer_depth));
  std::vector<std::vector<Packet>> coming(n, std::vector<Packet>(vcs));
  for (const Packets& packets : e.sent) reference.entered.emplace_back(packets.size());
  const auto words_of = [&](const Packet& packet, int flit) {
    std::vector<std::uint64_t> words(layout.flit_words);
    std::memcpy(words.data(), packet.data.data() + flit * flit_bytes(design), flit_bytes(design));
    return words;
  };
  std::ranges::fill(inputs.accept, std::uint8_t{!credit});
  for (std::uint64_t t = 0; t < e.cycles; ++t) {
    for (int i = 0; i < n; ++i) {
      while (next[i] < e.sent[i].size()) {
        const Packet& packet = e.sent[i][next[i]];
        Slot& slot = slots[i][packet.vc];
        if (packet.cycle > t || slot.packet >= 0) break;
        const arch::Header header = arch::read_header(design, words_of(packet, 0));
        const bool collective = header.op != arch::PacketOp::unicast;
        const int output = collective ? 0 : arch::route(design, header, i).first;
        slot = {static_cast<int>(next[i]++), 0,
                arch::queue_index(design, output, packet.vc, collective)};
      }
      inputs.valid[i] = 0;
      for (int k = 0; k < vcs && inputs.valid[i] == 0; ++k) {
        const int v = (turn[i] + k) % vcs;
        const Slot& slot = slots[i][v];
        if (slot.packet < 0 || (credit && credits[i][slot.queue] == 0)) continue;
        const Packet& packet = e.sent[i][slot.packet];
        inputs.valid[i] = 1;
        inputs.head[i] = slot.sent == 0;
        inputs.tail[i] = (slot.sent + 1) * flit_bytes(design) == packet.data.size();
        inputs.vc[i] = static_cast<std::uint8_t>(v);
        std::ranges::copy(words_of(packet, slot.sent), inputs.flit.begin() + i * layout.flit_words);
      }
    }
    const arch::SwitchOutputs& outputs = model.cycle(inputs);
    if (credit) std::ranges::fill(inputs.accept, std::uint8_t{0});
    for (int p = 0; p < n; ++p) {
      const auto pulse = [&](int q) {
        return outputs.queue[p * layout.queue_words + q / 64] >> (q % 64) & 1;
      };
      Slot& slot = slots[p][inputs.vc[p]];
      if (inputs.valid[p] != 0 && (credit || pulse(slot.queue) != 0)) {
        if (credit) --credits[p][slot.queue];
        turn[p] = (inputs.vc[p] + 1) % vcs;
        ++slot.sent;
        if (inputs.tail[p] != 0) {
          reference.entered[p][slot.packet] = t;
          slot = {};
        }
      }
      for (int q = 0; credit && q < layout.queues; ++q) credits[p][q] += pulse(q) != 0 ? 1 : 0;
      if (outputs.valid[p] == 0) continue;
      const int w = credit ? outputs.vc[p] : 0;
      if (credit) inputs.accept[p * vcs + w] = 1;
      Packet& packet = coming[p][w];
      const auto* bytes =
          reinterpret_cast<const unsigned char*>(&outputs.flit[p * layout.flit_words]);
      packet.data.insert(packet.data.end(), bytes, bytes + flit_bytes(design));
      if (outputs.tail[p] == 0) continue;
      packet.vc = w;
      packet.cycle = t;
      reference.arrived[p].push_back(packet);
      packet = {};
    }
  }
  return reference;
}

class CycleSwitchModuleTest : public ::testing::Test {
 protected:
  std::uint64_t seed = std::random_device()();
  std::mt19937_64 random{seed};
};

TEST_F(CycleSwitchModuleTest, PacketsMoveAtTheTimesOfThePlainModel) {
  for (int k = 0; k < 60; ++k) {
    const Experiment e = any_experiment(random, {});
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

// A blocking source has one packet under way; so has a non-blocking one whose packets travel in one
// VC and are offered after the ones before have entered.
TEST_F(CycleSwitchModuleTest, BlockingTransportTakesAsLong) {
  for (int k = 0; k < 20; ++k) {
    Experiment e = any_experiment(random, {});
    // Far enough apart that no packet waits for the one before.
    for (Packets& packets : e.sent) {
      for (std::size_t n = 0; n < packets.size(); ++n) packets[n].cycle = 150 * n;
    }
    EXPECT_TRUE(run_in_child([&] {
      const Reference reference = run_plain(e);
      Platform platform(e, true, sc_core::SC_ZERO_TIME);
      sc_core::sc_start(e.cycles * period());
      expect_same_times(platform, e, reference);
    })) << "seed "
        << seed << ", experiment " << k << "\n"
        << arch::canonical_form(arch::config_of(e.design));
  }
}

// A next hop that never ends its request takes one packet; behind it the credits fill up, then the
// queues, then the source waits. One that is slow loses nothing.
TEST_F(CycleSwitchModuleTest, ANextHopThatWaitsHoldsTheSourceBack) {
  for (const auto flow : {arch::FlowControl::credit, arch::FlowControl::ready_valid}) {
    Experiment e;
    e.design.ports = 2;
    e.design.buffer_depth = 3;
    e.design.credits = 5;
    e.design.flow_control = flow;
    e.design = arch::resolved(e.design);
    e.sent.resize(2);
    for (int k = 0; k < 40; ++k) {
      Packet packet{0, 0, Data(flit_bytes(e.design))};
      packet.data[0] = 1;  // to output 1
      packet.data[2] = static_cast<unsigned char>(k);
      e.sent[0].push_back(packet);
    }
    e.cycles = 300;
    EXPECT_TRUE(run_in_child([&] {
      const Sink::Way way = Sink::Way::accepted;
      Platform platform(e, false, sc_time(1, sc_core::SC_SEC), &way);
      sc_core::sc_start(e.cycles * period());
      const auto entered = std::ranges::count_if(
          platform.sources[0]->entered, [](const sc_time& t) { return t > sc_core::SC_ZERO_TIME; });
      // The packet that the next hop looks at, those on the output's places, those in the queue.
      const int places = flow == arch::FlowControl::credit
                             ? e.design.credits
                             : arch::SwitchTiming(e.design).output_fifo_depth;
      expect(entered == 1 + places + e.design.buffer_depth, "packets that entered");
    }));
    EXPECT_TRUE(run_in_child([&] {
      const Sink::Way way = Sink::Way::accepted;
      Platform platform(e, false, 7 * period(), &way);
      sc_core::sc_start(2 * e.cycles * period());
      const Packets& arrived = platform.sinks[1]->packets;
      expect(arrived.size() == 40, "all arrive");
      for (std::size_t k = 0; k < arrived.size(); ++k) {
        expect(arrived[k].data == e.sent[0][k].data, "in order");
      }
    }));
  }
}

TEST_F(CycleSwitchModuleTest, APayloadThatIsNoPacketGetsItsPreciseResponse) {
  Experiment e;
  e.design.ports = 3;
  e.design.flit_width = 32;
  e.design.multicast = true;
  e.design.max_packet_flits = 4;
  e.design = arch::resolved(e.design);
  e.sent.resize(3);
  EXPECT_TRUE(run_in_child([&] {
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
    Platform platform(e, true, sc_core::SC_ZERO_TIME);
    struct Case {
      std::function<void(tlm::tlm_generic_payload&, SwitchPacketExtension&)> spoil;
      tlm::tlm_response_status status;
    };
    using P = tlm::tlm_generic_payload;
    using X = SwitchPacketExtension;
    const std::vector<Case> cases{
        {[](P&, X&) {}, tlm::TLM_OK_RESPONSE},
        {[](P& p, X&) { p.set_read(); }, tlm::TLM_COMMAND_ERROR_RESPONSE},
        {[](P& p, X&) { p.set_byte_enable_ptr(p.get_data_ptr()); },
         tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
        {[](P& p, X&) { p.set_data_length(7); }, tlm::TLM_BURST_ERROR_RESPONSE},
        {[](P& p, X&) { p.set_data_length(0); }, tlm::TLM_BURST_ERROR_RESPONSE},
        {[](P& p, X&) { p.set_data_length(20); }, tlm::TLM_BURST_ERROR_RESPONSE},
        {[](P& p, X&) { p.set_streaming_width(4); }, tlm::TLM_BURST_ERROR_RESPONSE},
        {[](P& p, X&) { p.set_data_ptr(nullptr); }, tlm::TLM_BURST_ERROR_RESPONSE},
        {[](P&, X& x) { x.vc = 1; }, tlm::TLM_GENERIC_ERROR_RESPONSE},
        // Op in the three lowest bits, then the route: destination 3 of 0..2; a sum; op 7.
        {[](P& p, X&) { p.get_data_ptr()[0] = 3 << 3; }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
        {[](P& p, X&) { p.get_data_ptr()[0] = 4; }, tlm::TLM_GENERIC_ERROR_RESPONSE},
        {[](P& p, X&) { p.get_data_ptr()[0] = 7; }, tlm::TLM_GENERIC_ERROR_RESPONSE},
    };
    int checked = 0;
    sc_core::sc_spawn([&] {
      for (const Case& c : cases) {
        Data data(8);
        tlm::tlm_generic_payload payload;
        SwitchPacketExtension extension;
        payload.set_write();
        payload.set_data_ptr(data.data());
        payload.set_data_length(8);
        payload.set_streaming_width(8);
        payload.set_extension(&extension);
        c.spoil(payload, extension);
        sc_time delay = sc_core::SC_ZERO_TIME;
        platform.sources[0]->socket->b_transport(payload, delay);
        expect(payload.get_response_status() == c.status,
               "response of case " + std::to_string(checked));
        payload.clear_extension(&extension);
        ++checked;
      }
    });
    sc_core::sc_start(100 * period());
    expect(checked == static_cast<int>(cases.size()), "all cases");
  }));
}

}  // namespace
}  // namespace weft::models
