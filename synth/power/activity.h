// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "synth/power/netlist.h"
#include "synth/power/port_trace.h"

namespace weft::synth {

/// How lively a net is.
struct NetRate {
  double toggles = 0;  ///< a clock cycle
  double high = 0;     ///< share of the time that it is 1
};

/// How lively all nets of a netlist are, and how that is known.
struct Activity {
  std::vector<NetRate> nets;
  bool measured = false;
  std::size_t cycles = 0;           ///< measured: counted
  std::size_t workload_cycles = 0;  ///< measured: of the whole workload
  std::size_t passes = 0;           ///< measured: over the workload, until the windows fitted
  std::size_t undefined_outputs =
      0;  ///< measured: output bits that hang on registers' first values
};

/// `toggles` a cycle and half of the time 1 for every net; the clock network toggles twice.
Activity assumed_activity(const Netlist& netlist, std::string_view clock, double toggles);

/// Simulates the workload on the netlist, all of its cycles, 64 stretches of it side by side.
///
/// A stretch must begin in the state in which the one before it ends. At first that isn't known and
/// the state after reset is taken; then the whole is repeated, each stretch from where its
/// predecessor ended, until nothing changes any more. The first stretch is right from the start, so
/// in the end all are: the result is that of a simulation in one piece. Designs forget, so this
/// takes a few passes; at most as many as there are stretches.
///
/// Every output bit of every cycle is compared with the trace. They may differ only where they
/// depend on what registers hold before they are first written, which is found out by simulating
/// with other such values. Throws ToolError, naming port and cycle, if the netlist does anything
/// else than the RTL; UserError as NetlistSimulator does, or if ports do not match.
Activity measure_activity(const Netlist& netlist, std::string_view clock, const PortTrace& trace,
                          const std::function<void(std::string_view)>& progress = {});

}  // namespace weft::synth
