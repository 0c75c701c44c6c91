// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/switch.h"
#include "testbenches/activity/recording.h"
#include "testbenches/switch/rtl_switch.h"
#include "verif/traffic/traffic_spec.h"

namespace weft::verif {

/// Sends traffic through the RTL of a switch and records its ports: options.most_cycles (at least
/// 1) cycles behind options.lead_cycles in which the queues find their level.
/// Throws UserError for traffic that the switch cannot carry, ToolError if the RTL loses or damages
/// packets.
[[nodiscard]] Recording record_traffic(const arch::Switch& design, const SwitchRtl& rtl,
                                       const TrafficSpec& traffic, const RecordingOptions& options);

}  // namespace weft::verif
