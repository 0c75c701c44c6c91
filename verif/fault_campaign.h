// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "verif/dut_description.h"
#include "verif/faults.h"

namespace weft::verif {

/// How a planted fault came out.
struct FaultResult {
  enum class Outcome {
    compared,  ///< the co-simulation found a mismatch
    refused,   ///< Verilator refused the Verilog
    survived,  ///< nobody noticed: the testbench has a hole
  };

  Fault fault;
  Outcome outcome = Outcome::survived;
  std::string detail;  ///< the mismatch or the tool's message
};

/// Plants the faults one by one and has each tried: `first_mismatch` is a co-simulation that says
/// what it found first, nothing if it noticed nothing. Every fault should be noticed. `progress` is
/// told about each; it may be empty.
[[nodiscard]] std::vector<FaultResult> run_fault_campaign(
    const Rtl& rtl, const std::vector<Fault>& faults,
    const std::function<std::string(const Rtl&)>& first_mismatch,
    const std::function<void(const std::string&)>& progress);

/// {faults, caught, survived, results: [{name, kind, outcome, detail}]}.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<FaultResult>& results);

}  // namespace weft::verif
