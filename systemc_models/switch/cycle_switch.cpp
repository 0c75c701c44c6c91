// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/switch/cycle_switch.h"

#include "arch/network/routing.h"
#include "arch/network/switch_timing.h"
#include "systemc_models/switch/credit_pins.h"
#include "systemc_models/switch/ready_valid_pins.h"
#include "systemc_models/switch/switch_core.h"

namespace weft::models {
namespace {

template <class Mask>
std::unique_ptr<CycleSwitch::Core> make_core(const arch::Switch& design) {
  const arch::PinLayout layout(design);
  const arch::SwitchTiming timing(design);
  if (design.flow_control == arch::FlowControl::credit) {
    return std::make_unique<SwitchCore<Mask, CreditPins>>(design, CreditPins(layout, timing));
  }
  const bool combinational = design.organisation == arch::Organisation::crossbar;
  return std::make_unique<SwitchCore<Mask, ReadyValidPins>>(
      design, ReadyValidPins(layout, timing, combinational));
}

}  // namespace

CycleSwitch::CycleSwitch(const arch::Switch& design)
    : core_(design.ports <= 64 ? make_core<Mask64>(design) : make_core<Mask128>(design)) {}

CycleSwitch::~CycleSwitch() = default;

void CycleSwitch::reset() { core_->reset(); }

void CycleSwitch::set_position(int x, int y) { core_->set_position({x, y}); }

const arch::SwitchOutputs& CycleSwitch::cycle(const arch::SwitchInputs& inputs) {
  return core_->cycle(inputs);
}

int CycleSwitch::occupied(int input, int queue) const { return core_->occupied(input, queue); }

int CycleSwitch::owed_credits(int input, int queue) const {
  return core_->owed_credits(input, queue);
}

int CycleSwitch::credits(int output, int vc) const { return core_->credits(output, vc); }

int CycleSwitch::leaving(int output, int vc) const { return core_->leaving(output, vc); }

std::vector<Waiting> CycleSwitch::waiting() const { return core_->waiting(); }

}  // namespace weft::models
