// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>

#include <cstdint>
#include <systemc>

#include "arch/network/routing.h"
#include "arch/network/switch.h"
#include "systemc_models/switch/bits.h"
#include "systemc_models/switch_in_port.h"
#include "systemc_models/switch_out_port.h"

namespace weft::models {

/// What the TLM-2.0 modules of the switch have in common: a target and an initiator socket a port,
/// over which packets move as SwitchPacketExtension, SwitchInPort and SwitchOutPort say.
///
/// Clock cycle c lasts from c to c + 1 clock periods. A packet offered within a cycle enters from
/// the next cycle's start on, a flit a cycle while its queue has room; VCs of a port take turns.
/// What moves in a cycle does so at its end: a packet leaves, as a write on an output socket, at
/// the end of the cycle in which its tail stands on the output. Reports have the message type
/// "/weft/switch". The time resolution must be 1 ps.
class SwitchModule : public sc_core::sc_module {
 public:
  sc_core::sc_vector<tlm::tlm_target_socket<>> in;
  sc_core::sc_vector<tlm::tlm_initiator_socket<>> out;

 protected:
  SwitchModule(const sc_core::sc_module_name& name, const arch::Switch& design,
               const sc_core::sc_time& clock_period, arch::Position position);

  /// An input has got a packet.
  virtual void packet_offered() = 0;
  /// The next hop has taken the first packet of an (output, VC).
  virtual void packet_taken(int output, int vc) = 0;

  [[nodiscard]] const arch::Switch& design() const { return design_; }
  [[nodiscard]] const sc_core::sc_time& period() const { return period_; }
  [[nodiscard]] SwitchInPort& in_port(int input) { return in_ports_[as_index(input)]; }
  [[nodiscard]] const SwitchInPort& in_port(int input) const { return in_ports_[as_index(input)]; }
  [[nodiscard]] SwitchOutPort& out_port(int output) { return out_ports_[as_index(output)]; }
  /// Index of a (port, VC).
  [[nodiscard]] std::size_t port_vc(int port, int vc) const {
    return as_index(port * design_.virtual_channels + vc);
  }
  [[nodiscard]] bool with_credits() const {
    return design_.flow_control == arch::FlowControl::credit;
  }

 private:
  arch::Switch design_;
  sc_core::sc_time period_;
  sc_core::sc_vector<SwitchInPort> in_ports_;
  sc_core::sc_vector<SwitchOutPort> out_ports_;
};

}  // namespace weft::models
