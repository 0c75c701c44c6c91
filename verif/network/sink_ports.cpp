// SPDX-License-Identifier: Apache-2.0
#include "verif/network/sink_ports.h"

#include <fmt/format.h>

#include "arch/network/switch_timing.h"

namespace weft::verif {

SinkPorts::SinkPorts(const arch::Switch& design, const EndpointOptions& options)
    : layout_(design),
      options_(options),
      credit_flow_(design.flow_control == arch::FlowControl::credit),
      credits_(arch::SwitchTiming(design).output_credits),
      random_(options.seed, 2) {
  reset();
}

void SinkPorts::reset() {
  const std::size_t places = index(layout_.ports, 0);
  held_.assign(places, 0);
  owed_.assign(places, 0);
  coming_.assign(options_.credit_delay + 1, {});
  slot_ = 0;
  high_.clear();
  credits_returned_ = 0;
}

bool SinkPorts::gate_open(int port, std::uint64_t now) {
  const Gate& gate = options_.accept;
  if (gate.always()) return true;
  if (gate.pattern.empty()) return random_.chance(gate.percent);
  return gate.pattern[(now + static_cast<std::uint64_t>(port)) % gate.pattern.size()] != 0;
}

void SinkPorts::give_back(std::size_t place, arch::SwitchInputs& inputs) {
  inputs.accept[place] = 1;
  high_.push_back(place);
  ++credits_returned_;
  --held_[place];
}

void SinkPorts::drive(arch::SwitchInputs& inputs, std::uint64_t now) {
  if (!credit_flow_) {
    for (int output = 0; output < layout_.ports; ++output) {
      inputs.accept[static_cast<std::size_t>(output)] = gate_open(output, now) ? 1 : 0;
    }
    return;
  }
  for (const std::size_t place : high_) inputs.accept[place] = 0;
  high_.clear();
  // What comes in this cycle takes the place of what becomes due now.
  slot_ = slot_ + 1 == coming_.size() ? 0 : slot_ + 1;
  std::vector<std::size_t>& due = coming_[slot_];
  if (options_.accept.always()) {
    // At most one a cycle and place: no more than that arrives.
    for (const std::size_t place : due) give_back(place, inputs);
  } else {
    for (const std::size_t place : due) ++owed_[place];
    for (int output = 0; output < layout_.ports; ++output) {
      for (int vc = 0; vc < layout_.virtual_channels; ++vc) {
        const std::size_t place = index(output, vc);
        if (owed_[place] == 0 || !gate_open(output, now)) continue;
        --owed_[place];
        give_back(place, inputs);
      }
    }
  }
  due.clear();
}

void SinkPorts::received(int output, int vc, std::uint64_t now, Violations& violations) {
  if (!credit_flow_) return;
  const std::size_t place = index(output, vc);
  if (++held_[place] > credits_) {
    violations.add(Violation::credit, [&] {
      return fmt::format("cycle {}: output {} sends in VC {} without a credit", now, output, vc);
    });
  }
  coming_[slot_].push_back(place);
}

}  // namespace weft::verif
