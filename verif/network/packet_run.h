// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/switch.h"
#include "verif/network/run_meter.h"
#include "verif/traffic/traffic.h"

namespace weft::verif {

/// run_traffic() on the packet model of a switch: the same sources and sinks, but a packet at a
/// time. `single_fifo`: sources keep all their packets in one FIFO. Throws UserError for traffic
/// that the switch cannot carry, and for designs that the model does not cover.
[[nodiscard]] RunResult run_packets(const arch::Switch& design, Traffic& traffic,
                                    const RunPhases& phases, bool single_fifo);

}  // namespace weft::verif
