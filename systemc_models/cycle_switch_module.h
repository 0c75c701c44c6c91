// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "arch/network/routing.h"
#include "arch/network/switch_pins.h"
#include "systemc_models/flit_sink.h"
#include "systemc_models/switch/cycle_switch.h"
#include "systemc_models/switch_module.h"

namespace weft::models {

/// The switch as an approximately timed TLM-2.0 module around the cycle-exact model: SwitchModule
/// with every cycle simulated. Back pressure is END_REQ on both sides: a VC of an input takes the
/// next packet when the one before is in, and flits behind a packet that the next hop does not take
/// use up the output's credits (FlitSink). The module runs for as long as the simulation does.
class CycleSwitchModule : public SwitchModule {
 public:
  SC_HAS_PROCESS(CycleSwitchModule);

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

  void packet_offered() override {}
  void packet_taken(int output, int vc) override;
  void clock();
  void drive(int input, const sc_core::sc_time& cycle_start);
  void entered(int input, const arch::SwitchOutputs& outputs);
  void left(int output, const arch::SwitchOutputs& outputs);
  [[nodiscard]] bool pulse(const arch::SwitchOutputs& outputs, int input, int queue) const;

  arch::PinLayout layout_;
  CycleSwitch model_;
  arch::SwitchInputs inputs_;
  bool started_ = false;
  std::vector<Serialiser> serialisers_;  // [input][vc]
  std::vector<int> next_vc_;             // [input]: whose turn it is
  std::vector<int> credits_;             // [input][queue]
  std::vector<FlitSink> sinks_;          // [output][vc]
};

}  // namespace weft::models
