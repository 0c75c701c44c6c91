// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "arch/network/routing.h"
#include "arch/network/switch_pins.h"
#include "systemc_models/flit_sink.h"
#include "systemc_models/switch/cycle_switch.h"
#include "systemc_models/switch_in_port.h"
#include "systemc_models/switch_out_port.h"

namespace weft::models {

/// The switch as an approximately timed TLM-2.0 module around the cycle-exact model: packets as
/// generic payloads (SwitchPacketExtension) on a target and an initiator socket a port.
///
/// Clock cycle c lasts from c to c + 1 clock periods. A packet offered within a cycle enters from
/// the next cycle's start on, a flit a cycle while its queue has credits; VCs of a port take turns
/// flit by flit. What is on the pins in a cycle happens at its end: a packet leaves, as a write on
/// an output socket, at the end of the cycle in which its tail is on the pins. Back pressure is
/// END_REQ on both sides: a VC of an input takes the next packet when the one before is in
/// (SwitchInPort), and flits behind a packet that the next hop does not take use up the output's
/// credits (FlitSink). Reports have the message type "/weft/switch".
///
/// The time resolution must be 1 ps. The module runs for as long as the simulation does.
class CycleSwitchModule : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(CycleSwitchModule);

  sc_core::sc_vector<tlm::tlm_target_socket<>> in;
  sc_core::sc_vector<tlm::tlm_initiator_socket<>> out;

  /// `position`: where the switch is, for routing in meshes.
  CycleSwitchModule(const sc_core::sc_module_name& name, const arch::Switch& design,
                    const sc_core::sc_time& clock_period, arch::Position position = {});

  /// The model, between two cycles: who waits for whom, what is occupied.
  [[nodiscard]] const CycleSwitch& model() const { return model_; }

 private:
  // The packet that an (input, VC) puts on the pins.
  struct Serialiser {
    int sent = 0;   // flits
    int queue = 0;  // of the switch, into which it goes
  };

  void clock();
  void drive(int input, const sc_core::sc_time& cycle_start);
  void entered(int input, const arch::SwitchOutputs& outputs);
  void left(int output, const arch::SwitchOutputs& outputs);
  [[nodiscard]] bool pulse(const arch::SwitchOutputs& outputs, int input, int queue) const;
  [[nodiscard]] std::size_t input_vc(int input, int vc) const;

  arch::Switch design_;
  arch::PinLayout layout_;
  sc_core::sc_time period_;
  CycleSwitch model_;
  arch::SwitchInputs inputs_;
  bool started_ = false;
  std::vector<Serialiser> serialisers_;  // [input][vc]
  std::vector<int> next_vc_;             // [input]: whose turn it is
  std::vector<int> credits_;             // [input][queue]
  std::vector<FlitSink> sinks_;          // [output][vc]
  sc_core::sc_vector<SwitchInPort> in_ports_;
  sc_core::sc_vector<SwitchOutPort> out_ports_;
};

}  // namespace weft::models
