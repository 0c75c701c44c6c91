// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/link.h"
#include "testbenches/activity/recording.h"
#include "testbenches/link/link_rtl.h"

namespace weft::verif {

/// Flits of random bits cross a link in both directions, over wires without faults, and the ports
/// of one end's RTL are recorded; the other end is the model. Each end is offered a flit in `load`
/// of the cycles (at most 1), in a virtual channel at random; all that arrives is taken.
/// options.most_cycles (at least 1) are recorded behind options.lead_cycles, in which the link
/// starts.
///
/// Recording::flits are those that the recorded end has sent or received, halved: what it uses for
/// one is what sending and receiving take together, which is what both ends use for a flit that
/// crosses. Throws ToolError if the link is not up when the lead is over, or a flit is lost,
/// changed or out of order.
[[nodiscard]] Recording record_link(const arch::Link& link, const LinkRtl& rtl, double load,
                                    const RecordingOptions& options);

}  // namespace weft::verif
