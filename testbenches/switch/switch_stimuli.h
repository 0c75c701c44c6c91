// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/network/switch.h"
#include "testbenches/switch/switch_scenario.h"

namespace weft::verif {

/// The scenarios of a co-simulation: first the directed ones, which reach every corner of a switch,
/// then random ones without end. Scenario n of a seed does not depend on those before it.
class SwitchStimuli {
 public:
  SwitchStimuli(const arch::Switch& design, std::uint64_t seed);

  /// Number of directed scenarios.
  [[nodiscard]] std::uint64_t directed() const { return directed_.size(); }
  [[nodiscard]] SwitchScenario scenario(std::uint64_t index) const;

 private:
  void direct();
  /// Packets of a scenario, where so many a port would be enough.
  [[nodiscard]] std::uint64_t packets(int a_port) const;
  /// Packets to one output, so many that a head can wait beyond its bound.
  [[nodiscard]] std::uint64_t packets_for_wait() const;
  SwitchScenario& add(const char* name);
  [[nodiscard]] SwitchScenario random_scenario(std::uint64_t index) const;

  arch::Switch design_;
  std::uint64_t seed_;
  std::vector<SwitchScenario> directed_;
};

}  // namespace weft::verif
