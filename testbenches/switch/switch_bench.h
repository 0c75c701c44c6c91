// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "systemc_models/switch/cycle_switch.h"
#include "testbenches/switch/switch_coverage.h"
#include "testbenches/switch/switch_scenario.h"
#include "verif/network/violations.h"

namespace weft::verif {

/// What a bench has seen in all its scenarios.
struct SwitchTotals {
  std::uint64_t cycles = 0;
  std::uint64_t packets = 0;           ///< offered
  std::uint64_t flits = 0;             ///< taken from the outputs
  std::uint64_t mismatches = 0;        ///< wrong bits on pins that model and design drive
  std::uint64_t cycle_mismatches = 0;  ///< flits, credits or readiness in the wrong cycle
  std::uint64_t violations = 0;        ///< found by the scoreboard, which knows no model
  std::uint64_t longest_wait = 0;      ///< of a head, in cycles, where it is bounded
};

/// A switch between its endpoints. Runs scenarios on the design under test and, in lock step with
/// the same pins, on the model; compares all output pins in every cycle. The scoreboard checks
/// what comes out without the model.
class SwitchBench {
 public:
  /// `model` may be null. Both must outlive this.
  SwitchBench(const arch::Switch& design, arch::SwitchSimulation& dut, models::CycleSwitch* model);

  /// Runs a scenario until everything has come out; stops at the first thing that is wrong. True if
  /// nothing was.
  bool run(const SwitchScenario& scenario);

  [[nodiscard]] const SwitchTotals& totals() const { return totals_; }
  /// What was wrong first: cycle, port, expected, got. Empty if nothing was.
  [[nodiscard]] const std::string& first_mismatch() const { return first_mismatch_; }
  /// If it was the scoreboard that noticed.
  [[nodiscard]] const Violations& violations() const { return violations_; }
  [[nodiscard]] const SwitchCoverage& coverage() const { return coverage_; }

 private:
  class Experiment;

  arch::Switch design_;
  arch::SwitchSimulation* dut_;
  models::CycleSwitch* model_;
  SwitchTotals totals_;
  std::string first_mismatch_;
  Violations violations_;
  SwitchCoverage coverage_;
};

}  // namespace weft::verif
