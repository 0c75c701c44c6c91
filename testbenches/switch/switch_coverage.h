// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "testbenches/switch/switch_scenario.h"
#include "verif/coverage.h"
#include "verif/network/endpoint_observer.h"
#include "verif/network/switch_endpoints.h"

namespace weft::verif {

/// The corners that a switch's stimuli should reach, counted from what was seen at its ports.
class SwitchCoverage : public EndpointObserver {
 public:
  explicit SwitchCoverage(const arch::Switch& design);

  /// A scenario begins, or begins anew after a reset.
  void begin(const SwitchScenario& scenario, const SwitchEndpoints& endpoints, bool cut_short);

  void sent(const Packet& packet, int index, std::uint64_t cycle) override;
  void received(const Packet& packet, int index, int output, int vc, std::uint64_t cycle) override;
  void credit(int input, int queue, std::uint64_t cycle) override;
  void end_cycle(const arch::SwitchInputs& inputs, const arch::SwitchOutputs& outputs);

  [[nodiscard]] const Coverage& corners() const { return coverage_; }

 private:
  /// The flit that crossed a port last.
  struct Last {
    std::uint64_t cycle = 0;
    std::uint64_t packet = 0;
    int vc = -1;
    bool tail = false;
    bool any = false;
  };

  void collective(const Packet& packet);

  arch::Switch design_;
  arch::PinLayout layout_;
  int result_places_;  ///< of the result FIFO
  Coverage coverage_;
  const SwitchEndpoints* endpoints_ = nullptr;
  std::vector<Last> in_;
  std::vector<Last> out_;
};

}  // namespace weft::verif
