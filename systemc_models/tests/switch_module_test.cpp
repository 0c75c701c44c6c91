// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 module of the switch: packets enter and leave at the times of the plain model,
// through non-blocking and blocking transport; back pressure; payloads that are not packets.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>

#include "arch/config.h"
#include "arch/network/switch_timing.h"
#include "systemc_models/cycle_switch_module.h"
#include "systemc_models/payload_pool.h"
#include "systemc_models/tests/systemc_main.h"

namespace weft::models {
namespace {

using sc_core::sc_time;
using testing::run_in_child;
using Data = std::vector<unsigned char>;

void expect(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(what);
}

// The resolution must be set before the first time is made.
sc_time period() { return {2, sc_core::SC_NS}; }

// A packet to be sent, or one that arrived.
struct Packet {
  std::uint64_t cycle = 0;  // from which it is offered; in which its tail moved
  int vc = 0;
  Data data;

  bool operator==(const Packet&) const = default;
};
using Packets = std::vector<Packet>;

std::size_t flit_bytes(const arch::Switch& design) {
  return static_cast<std::size_t>(design.flit_width + 7) / 8;
}

Packet any_packet(const arch::Switch& design, std::uint64_t cycle, std::mt19937_64& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Packet packet{cycle, below(design.virtual_channels), {}};
  const int flits = 1 + below(design.max_packet_flits);
  for (int k = 0; k < flits; ++k) {
    std::vector<std::uint64_t> words(static_cast<std::size_t>(design.flit_width + 63) / 64);
    for (std::uint64_t& word : words) word = random();
    if (design.flit_width % 64 != 0) {
      words.back() &= (std::uint64_t{1} << design.flit_width % 64) - 1;
    }
    if (k == 0) {
      arch::Header header;
      header.route = static_cast<std::uint64_t>(below(design.destinations));
      header.next = design.lookahead_routing ? below(design.ports) : 0;
      if (design.multicast && below(3) == 0) {
        header.op = arch::PacketOp::multicast;
        for (int o = 0; o < design.ports; ++o) header.mask[o] = o == 0 || below(2) == 0;
      }
      arch::write_header(design, header, words);
    }
    const auto* bytes = reinterpret_cast<const unsigned char*>(words.data());
    packet.data.insert(packet.data.end(), bytes, bytes + flit_bytes(design));
  }
  return packet;
}

struct Experiment {
  arch::Switch design;
  std::vector<Packets> sent;  // [input]
  std::uint64_t cycles = 0;
};

Experiment any_experiment(std::mt19937_64& random) {
  Experiment e;
  e.design = arch::random_switch(random, {{"ports", arch::IntRange{2, 6}},
                                          {"routing", arch::Choice{{"destination_table"}, {}}},
                                          {"in_network_reduction", arch::Boolean{{false}}},
                                          {"flit_width", arch::IntRange{24, 150}},
                                          {"buffer_depth", arch::IntRange{1, 8}},
                                          {"max_packet_flits", arch::IntRange{1, 6}}});
  for (int i = 0; i < e.design.ports; ++i) {
    std::uint64_t cycle = 0;
    e.sent.emplace_back();
    for (int k = 0; k < 25; ++k) {
      cycle += random() % 2 == 0 ? 0 : random() % 12;
      e.sent.back().push_back(any_packet(e.design, cycle, random));
    }
  }
  e.cycles = 4000;
  return e;
}

// The same packets through the plain model, pin by pin: what leaves each output, and when each
// packet's tail entered.
struct Reference {
  std::vector<Packets> arrived;                     // [output]
  std::vector<std::vector<std::uint64_t>> entered;  // [input][packet]
};

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

// Sends packets and answers the phases; within a cycle before the one from which they are offered.
class Source : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Source);
  Source(const sc_core::sc_module_name& name, const Packets& packets, bool blocking)
      : sc_module(name), socket("socket"), packets_(packets), entered(packets.size()) {
    socket.register_nb_transport_bw(this, &Source::nb_transport_bw);
    if (blocking) {
      SC_THREAD(run_blocking);
    } else {
      SC_THREAD(run);
    }
  }

  tlm_utils::simple_initiator_socket<Source> socket;

 private:
  const Packets& packets_;

 public:
  std::vector<sc_time> entered;  // when each packet's response came
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;

 private:
  static void fill(tlm::tlm_generic_payload& payload, const Packet& packet) {
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(0);
    payload.set_data_ptr(const_cast<unsigned char*>(packet.data.data()));
    payload.set_data_length(static_cast<unsigned>(packet.data.size()));
    payload.set_streaming_width(static_cast<unsigned>(packet.data.size()));
  }

  // Some time within the cycle before.
  void wait_for(std::uint64_t cycle, std::size_t k) {
    const sc_time at = cycle * period() - (cycle == 0 ? 0 : k % 3) * sc_time(500, sc_core::SC_PS);
    if (at > sc_core::sc_time_stamp()) wait(at - sc_core::sc_time_stamp());
  }

  void run() {
    for (std::size_t k = 0; k < packets_.size(); ++k) {
      wait_for(packets_[k].cycle, k);
      tlm::tlm_generic_payload& payload = pool_.allocate();
      fill(payload, packets_[k]);
      auto* extension = new SwitchPacketExtension;
      extension->vc = packets_[k].vc;
      payload.set_auto_extension(extension);
      number_[&payload] = k;
      requesting_ = true;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_time delay = sc_core::SC_ZERO_TIME;
      expect(socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_ACCEPTED, "four phases");
      while (requesting_) wait(ended_);
    }
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_time& /*delay*/) {
    if (phase == tlm::END_REQ) {
      requesting_ = false;
      ended_.notify(sc_core::SC_ZERO_TIME);
      return tlm::TLM_ACCEPTED;
    }
    expect(phase == tlm::BEGIN_RESP && payload.is_response_ok(), "a good response");
    const auto* extension = payload.get_extension<SwitchPacketExtension>();
    expect(extension->tail == sc_core::sc_time_stamp(), "the tail's time");
    entered[number_.at(&payload)] = sc_core::sc_time_stamp();
    payload.release();
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }

  void run_blocking() {
    for (std::size_t k = 0; k < packets_.size(); ++k) {
      wait_for(packets_[k].cycle, k);
      tlm::tlm_generic_payload payload;
      fill(payload, packets_[k]);
      SwitchPacketExtension extension;
      extension.vc = packets_[k].vc;
      payload.set_extension(&extension);
      sc_time delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(payload, delay);
      expect(payload.is_response_ok() && delay == sc_core::SC_ZERO_TIME, "a good response");
      entered[k] = sc_core::sc_time_stamp();
      payload.clear_extension(&extension);
    }
  }

  PayloadPool pool_;
  std::map<tlm::tlm_generic_payload*, std::size_t> number_;
  bool requesting_ = false;
  sc_core::sc_event ended_;
};

// Takes packets in one of the ways that the base protocol has.
class Sink : public sc_core::sc_module {
 public:
  enum class Way { accepted, updated, completed, response_at_once };

  Sink(const sc_core::sc_module_name& name, Way way, sc_time delay = sc_core::SC_ZERO_TIME)
      : sc_module(name),
        socket("socket"),
        way_(way),
        delay_(delay),
        phases_(this, &Sink::on_phase) {
    socket.register_nb_transport_fw(this, &Sink::nb_transport_fw);
  }

  tlm_utils::simple_target_socket<Sink> socket;
  Packets packets;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_time& delay) {
    if (phase == tlm::END_RESP) {
      payload.release();
      return tlm::TLM_COMPLETED;
    }
    expect(phase == tlm::BEGIN_REQ, "a request");
    expect(payload.is_write() && payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE,
           "a fresh write");
    const auto* extension = payload.get_extension<SwitchPacketExtension>();
    const unsigned char* data = payload.get_data_ptr();
    const sc_time now = sc_core::sc_time_stamp();
    packets.push_back({extension->tail / period() > 0
                           ? static_cast<std::uint64_t>(extension->tail / period()) - 1
                           : 0,
                       extension->vc,
                       {data, data + payload.get_data_length()}});
    expect(extension->head <= extension->tail && extension->tail <= now, "times of a packet");
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay = delay_;
    switch (way_) {
      case Way::completed:
        return tlm::TLM_COMPLETED;
      case Way::updated:
        payload.acquire();
        phases_.notify(payload, tlm::BEGIN_RESP, delay_ + period());
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
      case Way::response_at_once:
        payload.acquire();
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_UPDATED;
      case Way::accepted:
        break;
    }
    payload.acquire();
    phases_.notify(payload, tlm::END_REQ, delay_);
    return tlm::TLM_ACCEPTED;
  }

  void on_phase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& at) {
    tlm::tlm_phase phase = at;
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(payload, phase, delay);
    if (at == tlm::END_REQ) phases_.notify(payload, tlm::BEGIN_RESP, period());
  }

  Way way_;
  sc_time delay_;
  tlm_utils::peq_with_cb_and_phase<Sink> phases_;
};

// A switch between sources and sinks.
struct Platform {
  Platform(const Experiment& e, bool blocking, sc_time sink_delay, const Sink::Way* way = nullptr)
      : dut("dut", e.design, period()) {
    for (int p = 0; p < e.design.ports; ++p) {
      sources.push_back(
          std::make_unique<Source>(sc_core::sc_gen_unique_name("source"), e.sent[p], blocking));
      sinks.push_back(std::make_unique<Sink>(sc_core::sc_gen_unique_name("sink"),
                                             way != nullptr ? *way : static_cast<Sink::Way>(p % 4),
                                             sink_delay));
      sources.back()->socket.bind(dut.in[p]);
      dut.out[p].bind(sinks.back()->socket);
    }
  }

  CycleSwitchModule dut;
  std::vector<std::unique_ptr<Source>> sources;
  std::vector<std::unique_ptr<Sink>> sinks;
};

sc_time end_of(std::uint64_t cycle) { return (cycle + 1) * period(); }

class Seeded : public ::testing::Test {
 protected:
  std::uint64_t seed = std::random_device()();
  std::mt19937_64 random{seed};
};

using SwitchModule = Seeded;

TEST_F(SwitchModule, PacketsMoveAtTheTimesOfThePlainModel) {
  for (int k = 0; k < 60; ++k) {
    const Experiment e = any_experiment(random);
    EXPECT_TRUE(run_in_child([&] {
      const Reference reference = run_plain(e);
      Platform platform(e, false, sc_core::SC_ZERO_TIME);
      sc_core::sc_start(e.cycles * period());
      for (int p = 0; p < e.design.ports; ++p) {
        expect(platform.sinks[p]->packets == reference.arrived[p],
               "arrivals at output " + std::to_string(p));
        for (std::size_t n = 0; n < e.sent[p].size(); ++n) {
          expect(platform.sources[p]->entered[n] == end_of(reference.entered[p][n]),
                 "entry of packet " + std::to_string(n) + " of input " + std::to_string(p));
        }
      }
    })) << "seed "
        << seed << ", experiment " << k << "\n"
        << arch::canonical_form(arch::config_of(e.design));
  }
}

// A blocking source has one packet under way; so has a non-blocking one whose packets travel in one
// VC and are offered after the ones before have entered.
TEST_F(SwitchModule, BlockingTransportTakesAsLong) {
  for (int k = 0; k < 20; ++k) {
    Experiment e = any_experiment(random);
    // Far enough apart that no packet waits for the one before.
    for (Packets& packets : e.sent) {
      for (std::size_t n = 0; n < packets.size(); ++n) packets[n].cycle = 150 * n;
    }
    EXPECT_TRUE(run_in_child([&] {
      const Reference reference = run_plain(e);
      Platform platform(e, true, sc_core::SC_ZERO_TIME);
      sc_core::sc_start(e.cycles * period());
      for (int p = 0; p < e.design.ports; ++p) {
        expect(platform.sinks[p]->packets == reference.arrived[p], "arrivals");
        for (std::size_t n = 0; n < e.sent[p].size(); ++n) {
          expect(platform.sources[p]->entered[n] == end_of(reference.entered[p][n]), "returns");
        }
      }
    })) << "seed "
        << seed << ", experiment " << k << "\n"
        << arch::canonical_form(arch::config_of(e.design));
  }
}

// A next hop that never ends its request takes one packet; behind it the credits fill up, then the
// queues, then the source waits. One that is slow loses nothing.
TEST_F(SwitchModule, ANextHopThatWaitsHoldsTheSourceBack) {
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

TEST_F(SwitchModule, APayloadThatIsNoPacketGetsItsPreciseResponse) {
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
