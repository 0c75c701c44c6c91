// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arch/tensor_array.h"
#include "testbenches/tensor_array/cosim.h"
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

/// Plants the faults one by one and co-simulates each. Every fault should be noticed.
[[nodiscard]] std::vector<FaultResult> run_fault_campaign(const arch::TensorArray& array,
                                                          const ArrayRtl& rtl,
                                                          const std::vector<Fault>& faults,
                                                          const CosimOptions& options = {});

/// {faults, caught, survived, results: [{name, kind, outcome, detail}]}.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<FaultResult>& results);

}  // namespace weft::verif
