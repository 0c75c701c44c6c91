// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Runs `traffic`, whose nodes are the ports, through a switch that has just been reset. The
/// sources take any number of packets (no backlog_limit). Throws UserError as check_traffic() does,
/// and for destinations to which no route leads.
[[nodiscard]] RunResult run_traffic(arch::SwitchSimulation& simulation, const arch::Switch& design,
                                    Traffic& traffic, const RunPhases& phases,
                                    const EndpointOptions& options, arch::Position position = {});

}  // namespace weft::verif
