// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "synth/power/port_trace.h"
#include "verif/dut_builder.h"

namespace weft::verif {

/// How a workload is recorded.
struct RecordingOptions {
  std::uint64_t seed = 1;         ///< of random operands or traffic
  std::uint64_t most_cycles = 0;  ///< the recording ends after so many; 0: when the workload does
  std::uint64_t lead_cycles = 0;  ///< of traffic: before those that are measured
  BuildOptions build;
  std::function<void(const std::string&)> progress;  ///< may be empty
};

/// A workload as the RTL saw it on its ports, and what it did meanwhile.
struct Recording {
  synth::PortTrace trace;
  std::string workload;               ///< what it was, for people
  std::uint64_t workload_cycles = 0;  ///< of all of it, if all had been recorded
  std::uint64_t macs = 0;             ///< multiplications of the workload in what was recorded
  std::uint64_t flits = 0;            ///< flits that came out in what was recorded
  std::uint64_t inferences = 0;       ///< of the whole workload; 0: it has none
  std::uint64_t macs_per_inference = 0;
};

}  // namespace weft::verif
