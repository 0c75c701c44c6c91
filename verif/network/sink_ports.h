// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "verif/network/endpoint_options.h"
#include "verif/network/violations.h"
#include "verif/random.h"

namespace weft::verif {

/// How the next hops behind a switch take flits: when they return credits, or are ready.
class SinkPorts {
 public:
  SinkPorts(const arch::Switch& design, const EndpointOptions& options);

  /// Sets the pins of one cycle.
  void drive(arch::SwitchInputs& inputs, std::uint64_t now);
  /// Whether an output's flit moves in this cycle, if there is one.
  [[nodiscard]] bool takes(const arch::SwitchInputs& inputs, int output) const {
    return credit_flow_ || inputs.accept[static_cast<std::size_t>(output)] != 0;
  }
  /// A flit moved.
  void received(int output, int vc, std::uint64_t now, Violations& violations);
  /// Places of the next hop that are in use or whose credit has not been returned.
  [[nodiscard]] int held(int output, int vc) const { return held_[index(output, vc)]; }

  /// Credits that were returned in all.
  [[nodiscard]] std::uint64_t credits_returned() const { return credits_returned_; }

  void reset();

 private:
  [[nodiscard]] std::size_t index(int output, int vc) const {
    return static_cast<std::size_t>(output * layout_.virtual_channels + vc);
  }
  [[nodiscard]] bool gate_open(int port, std::uint64_t now);
  void give_back(std::size_t place, arch::SwitchInputs& inputs);

  arch::PinLayout layout_;
  EndpointOptions options_;
  bool credit_flow_;
  int credits_;  ///< of each (output, VC) at reset

  std::vector<int> held_;                         ///< [output][vc]
  std::vector<int> owed_;                         ///< of these: credits that are due
  std::vector<std::vector<std::size_t>> coming_;  ///< indices that become due, a ring of cycles
  std::size_t slot_ = 0;                          ///< of this cycle
  std::vector<std::size_t> high_;                 ///< accept pins that are high
  std::uint64_t credits_returned_ = 0;
  Random random_;
};

}  // namespace weft::verif
