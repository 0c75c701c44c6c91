// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <systemc>
#include <vector>

#include "arch/network/header.h"
#include "arch/network/routing.h"
#include "arch/network/switch.h"
#include "systemc_models/switch_payload.h"

namespace weft::models {

/// A packet that waits at an input, or enters.
struct EnteringPacket {
  arch::Header header;
  arch::OutputChoice outputs;  ///< of a unicast packet
  int vc = 0;
  int flits = 0;
  sc_core::sc_time offered;  ///< flits can enter in cycles that begin then
  tlm::tlm_generic_payload* payload = nullptr;
  sc_core::sc_event* entered = nullptr;  ///< of a blocking transport, when it is complete
};

/// The protocol of one input socket of a switch (SwitchPacketExtension says what a payload is).
///
/// Each VC takes one packet at a time. END_REQ comes at once when the packet's VC is free, else
/// when it gets free: that is the back pressure. BEGIN_RESP comes when the last flit is in the
/// switch. b_transport returns at that time; it synchronises. There is no debug transport.
///
/// A payload that is not a packet gets one precise response: command (not a write), byte enable,
/// burst (no data, not whole flits, longer than max_packet_flits, streaming), address (the header
/// names no output of this switch), generic error (no such VC, an op that the switch lacks).
class SwitchInPort : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<SwitchInPort> socket;

  /// `on_packet` is called when a VC has got a packet.
  SwitchInPort(const sc_core::sc_module_name& name, const arch::Switch& design, int input,
               arch::Position position, std::function<void()> on_packet);

  /// The packet that has the VC; nullptr: none.
  [[nodiscard]] const EnteringPacket* packet(int vc) const {
    const auto& packet = packets_[static_cast<std::size_t>(vc)];
    return packet ? &*packet : nullptr;
  }
  /// A flit of the packet that has the VC, as words of 64 bits.
  void copy_flit(int vc, int flit, std::span<std::uint64_t> words) const;
  /// The first flit of that packet is in the switch at this time.
  void head_entered(int vc);
  /// The last one is: the packet is complete and the VC free.
  void tail_entered(int vc);

 private:
  using Payload = tlm::tlm_generic_payload;

  void b_transport(Payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void on_phase(Payload& payload, const tlm::tlm_phase& phase);
  void begin_request(Payload& payload);
  // Fills in the packet; what is wrong with it otherwise.
  tlm::tlm_response_status read(Payload& payload, EnteringPacket& packet) const;
  tlm::tlm_response_status read_header(EnteringPacket& packet) const;
  [[nodiscard]] bool is_free(int vc) const { return packet(vc) == nullptr; }
  void accept(const EnteringPacket& packet);
  void end_request(Payload& payload);
  void respond();

  arch::Switch design_;
  int input_;
  arch::Position position_;
  std::size_t flit_bytes_;
  std::function<void()> on_packet_;
  std::vector<std::optional<EnteringPacket>> packets_;  // [vc]
  std::optional<EnteringPacket> waiting_;               // its request has not ended
  sc_core::sc_event freed_;                             // a VC

  tlm_utils::peq_with_cb_and_phase<SwitchInPort> phases_;
  std::deque<Payload*> responses_;  // the first may be under way
  bool responding_ = false;
};

}  // namespace weft::models
