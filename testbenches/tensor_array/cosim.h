// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arch/tensor_array.h"
#include "testbenches/tensor_array/array_scoreboard.h"
#include "verif/cosim_options.h"
#include "verif/coverage.h"
#include "verif/dut_description.h"
#include "verif/test_report.h"

namespace weft::verif {

/// The RTL of an array.
using ArrayRtl = Rtl;

/// What a co-simulation found. Everything that was compared agreed if passed().
struct CosimReport {
  std::uint64_t seed = 0;
  std::uint64_t transactions = 0;  ///< random tiles (workloads: tiles) run
  std::uint64_t scenarios = 0;     ///< experiments, each from its own reset on
  ScoreboardTotals totals;
  std::uint64_t rtl_cycles = 0;  ///< clock cycles simulated
  std::uint64_t macs = 0;        ///< multiply-accumulates of all accepted vectors
  /// Those of the scenarios and layers that stream at full speed, and the CPU seconds that they
  /// took.
  std::uint64_t streamed_macs = 0;
  double streaming_seconds = 0;
  double run_seconds = 0;  ///< wall time of stimuli, model, RTL and comparison, without build
  double build_seconds = 0;
  bool cached = false;         ///< the design was built before
  std::string digest;          ///< of the built design
  std::string first_mismatch;  ///< empty if passed; scenario, place, expected, got, cycle
  std::string reproduce;       ///< the command line that shows it with a waveform
  Coverage coverage;
  TestReport tests;  ///< one entry a kind of scenario, or a layer

  [[nodiscard]] bool passed() const {
    return totals.mismatches == 0 && totals.cycle_mismatches == 0 && first_mismatch.empty();
  }
  /// The speed of the co-simulation where the array is kept busy, a CPU second of the one core that
  /// it uses: stimuli, model, RTL and comparison together. 0 if nothing was streamed.
  [[nodiscard]] double macs_per_second() const {
    return streaming_seconds > 0 ? static_cast<double>(streamed_macs) / streaming_seconds : 0;
  }
};

/// Drives the RTL of `array` and its model with the same stimuli and compares every result element
/// and every cycle. Stops after the first scenario with a mismatch. Throws ToolError when the
/// design cannot be built or run, UserError for an impossible option or path.
[[nodiscard]] CosimReport run_cosim(const arch::TensorArray& array, const ArrayRtl& rtl,
                                    const CosimOptions& options = {});

/// {status, seed, transactions, elements_compared, mismatches, cycle_mismatches, rtl_cycles,
/// macs_per_second, cached, ...}.
[[nodiscard]] nlohmann::ordered_json to_json(const CosimReport& report);

}  // namespace weft::verif
