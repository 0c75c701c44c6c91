// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "arch/network/switch.h"
#include "testbenches/switch/rtl_switch.h"
#include "testbenches/switch/switch_bench.h"
#include "verif/cosim_options.h"
#include "verif/coverage.h"
#include "verif/network/violations.h"
#include "verif/test_report.h"

namespace weft::verif {

/// What a co-simulation of a switch found. Everything that was compared agreed if passed().
struct SwitchCosimReport {
  std::uint64_t seed = 0;
  std::uint64_t transactions = 0;  ///< random packets run, behind the directed scenarios
  std::uint64_t scenarios = 0;     ///< experiments, each from its own reset on
  SwitchTotals totals;
  std::uint64_t wait_bound = 0;      ///< for the most urgent class, in cycles; 0: there is none
  std::optional<Violation> noticed;  ///< what the scoreboard noticed, if it was the first
  double run_seconds = 0;            ///< wall time without build
  double build_seconds = 0;
  bool cached = false;         ///< the design was built before
  std::string digest;          ///< of the built design
  std::string first_mismatch;  ///< empty if passed; scenario, cycle, port, expected, got
  std::string reproduce;       ///< the command line that shows it with a waveform
  Coverage coverage;
  TestReport tests;  ///< one entry a kind of scenario

  [[nodiscard]] bool passed() const { return first_mismatch.empty(); }
};

/// How the outputs of the RTL are judged.
enum class Judges {
  model_and_scoreboard,
  scoreboard,  ///< to learn what it notices on its own
};

/// Drives the RTL of a switch and its model with the same pins, compares all output pins in every
/// cycle, and checks everything that comes out against what was sent. Stops after the first
/// scenario in which something is wrong. Throws ToolError when the design cannot be built or run,
/// UserError for an impossible option or path.
[[nodiscard]] SwitchCosimReport run_switch_cosim(const arch::Switch& design, const SwitchRtl& rtl,
                                                 const CosimOptions& options = {},
                                                 Judges judges = Judges::model_and_scoreboard);

/// {status, seed, transactions, packets, flits, mismatches, cycle_mismatches, violations,
/// rtl_cycles, cached, ...}.
[[nodiscard]] nlohmann::ordered_json to_json(const SwitchCosimReport& report);

}  // namespace weft::verif
