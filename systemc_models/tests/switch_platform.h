// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "arch/network/header.h"
#include "arch/network/switch.h"
#include "systemc_models/payload_pool.h"
#include "systemc_models/switch_payload.h"

namespace weft::models::testing {

using Data = std::vector<unsigned char>;

inline void expect(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(what);
}

// The resolution must be set before the first time is made.
inline sc_core::sc_time period() { return {2, sc_core::SC_NS}; }

// A packet to be sent, or one that arrived.
struct Packet {
  std::uint64_t cycle = 0;  // from which it is offered; in which its tail moved
  int vc = 0;
  Data data;

  bool operator==(const Packet&) const = default;
};
using Packets = std::vector<Packet>;

inline std::size_t flit_bytes(const arch::Switch& design) {
  return static_cast<std::size_t>(design.flit_width + 7) / 8;
}

inline Packet any_packet(const arch::Switch& design, std::uint64_t cycle, std::mt19937_64& random) {
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

// Packets for a random switch; `narrowed` narrows its parameters further.
inline Experiment any_experiment(std::mt19937_64& random, arch::Narrowed narrowed) {
  Experiment e;
  narrowed.merge(arch::Narrowed{{"ports", arch::IntRange{2, 6}},
                                {"routing", arch::Choice{{"destination_table"}, {}}},
                                {"in_network_reduction", arch::Boolean{{false}}},
                                {"flit_width", arch::IntRange{24, 150}},
                                {"buffer_depth", arch::IntRange{1, 8}},
                                {"max_packet_flits", arch::IntRange{1, 6}}});
  e.design = arch::random_switch(random, narrowed);
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
  std::vector<sc_core::sc_time> entered;  // when each packet's response came
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
    const sc_core::sc_time at =
        cycle * period() - (cycle == 0 ? 0 : k % 3) * sc_core::sc_time(500, sc_core::SC_PS);
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
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      expect(socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_ACCEPTED, "four phases");
      while (requesting_) wait(ended_);
    }
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& /*delay*/) {
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
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
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

  Sink(const sc_core::sc_module_name& name, Way way, sc_core::sc_time delay = sc_core::SC_ZERO_TIME)
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
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      payload.release();
      return tlm::TLM_COMPLETED;
    }
    expect(phase == tlm::BEGIN_REQ, "a request");
    expect(payload.is_write() && payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE,
           "a fresh write");
    const auto* extension = payload.get_extension<SwitchPacketExtension>();
    const unsigned char* data = payload.get_data_ptr();
    const sc_core::sc_time now = sc_core::sc_time_stamp();
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
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(payload, phase, delay);
    if (at == tlm::END_REQ) phases_.notify(payload, tlm::BEGIN_RESP, period());
  }

  Way way_;
  sc_core::sc_time delay_;
  tlm_utils::peq_with_cb_and_phase<Sink> phases_;
};

// A switch between sources and sinks.
template <class Module>
struct Platform {
  Platform(const Experiment& e, bool blocking, sc_core::sc_time sink_delay,
           const Sink::Way* way = nullptr)
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

  Module dut;
  std::vector<std::unique_ptr<Source>> sources;
  std::vector<std::unique_ptr<Sink>> sinks;
};

inline sc_core::sc_time end_of(std::uint64_t cycle) { return (cycle + 1) * period(); }

/// What a plain model says of the packets of an experiment.
struct Reference {
  std::vector<Packets> arrived;                     // [output]
  std::vector<std::vector<std::uint64_t>> entered;  // [input][packet]: cycle of the tail
};

/// Throws unless all packets entered and arrived in the module when they did in the plain model.
template <class Module>
void expect_same_times(const Platform<Module>& platform, const Experiment& experiment,
                       const Reference& reference) {
  for (std::size_t p = 0; p < experiment.sent.size(); ++p) {
    expect(platform.sinks[p]->packets == reference.arrived[p],
           "arrivals at output " + std::to_string(p));
    for (std::size_t n = 0; n < experiment.sent[p].size(); ++n) {
      expect(platform.sources[p]->entered[n] == end_of(reference.entered[p][n]),
             "entry of packet " + std::to_string(n) + " of input " + std::to_string(p));
    }
  }
}

}  // namespace weft::models::testing
