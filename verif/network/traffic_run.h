// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "arch/network/routing.h"
#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "verif/network/endpoint_options.h"
#include "verif/network/run_meter.h"
#include "verif/traffic/traffic.h"

namespace weft::verif {

/// Throws UserError for traffic that the switch cannot carry: other ports, more classes, longer
/// packets.
void check_traffic(const arch::Switch& design, const Traffic& traffic);

/// Which outputs some header leads to, from a switch at this position.
class RoutedOutputs {
 public:
  explicit RoutedOutputs(const arch::Switch& design, arch::Position position = {});
  /// Throws UserError if no route leads to this output.
  void check(int output) const {
    if (unrouted_[static_cast<std::size_t>(output)]) refuse(output);
  }

 private:
  [[noreturn]] void refuse(int output) const;

  std::string name_;
  std::vector<char> unrouted_;
};

/// Runs `traffic`, whose nodes are the ports, through a switch that has just been reset. The
/// sources take any number of packets (no backlog_limit). Throws UserError as check_traffic() does,
/// and for destinations to which no route leads.
[[nodiscard]] RunResult run_traffic(arch::SwitchSimulation& simulation, const arch::Switch& design,
                                    Traffic& traffic, const RunPhases& phases,
                                    const EndpointOptions& options, arch::Position position = {});

}  // namespace weft::verif
