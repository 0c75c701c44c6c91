// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "arch/network/routing.h"
#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "verif/network/endpoint_options.h"
#include "verif/network/switch_endpoints.h"
#include "verif/traffic/traffic.h"

namespace weft::verif {

/// The phases of a measurement, in cycles.
struct RunPhases {
  std::uint64_t warmup = 10000;       ///< until queues have found their level
  std::uint64_t measurement = 10000;  ///< the packets that are created in it are measured
  std::uint64_t drain = 100000;       ///< at most: until all of those have come out
};

/// What was counted while traffic ran through a switch.
struct RunResult {
  std::uint64_t cycles = 0;  ///< of all phases
  /// Flits created by each source, and taken from each output, in the measurement.
  std::vector<std::uint64_t> offered;
  std::vector<std::uint64_t> accepted;
  std::uint64_t measured = 0;    ///< packets that were created in the measurement
  std::uint64_t unfinished = 0;  ///< of these: those that had not come out when draining ended
  std::uint64_t refused = 0;     ///< of these: those that a source had no room for
  std::string violation;  ///< what the switch did wrong first, with the cycle; empty: nothing
};

/// Runs `traffic`, whose nodes are the ports, through a switch that has just been reset. It goes on
/// while the measured packets drain. `measured` is called for each of them that comes out. Throws
/// UserError for traffic that the switch cannot carry: other ports, more classes, longer packets.
RunResult run_traffic(arch::SwitchSimulation& simulation, const arch::Switch& design,
                      Traffic& traffic, const RunPhases& phases, const EndpointOptions& options,
                      const std::function<void(const Delivery&)>& measured,
                      arch::Position position = {});

}  // namespace weft::verif
