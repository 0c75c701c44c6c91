// SPDX-License-Identifier: Apache-2.0
#include "arch/network/switch_timing.h"

#include <algorithm>
#include <bit>

namespace weft::arch {

SwitchTiming::SwitchTiming(const Switch& design)
    : input_stages(design.pipeline >= 3 && !design.lookahead_routing ? 1 : 0),
      output_stages(design.pipeline == 4 ? 2 : std::min(design.pipeline - 1, 1)) {
  // A crossbar has no queue that a flit would stand in for a cycle.
  latency = (design.organisation == Organisation::crossbar ? 1 : 2) + input_stages + output_stages;
  if (design.flow_control == FlowControl::ready_valid) {
    output_fifo_depth = output_stages + 2;
    output_credits = output_fifo_depth;
    // The flit stands on the output after 1 + D_out cycles and frees its place in the next.
    credit_round_trip = output_stages + 2;
  } else {
    output_credits = design.credits;
    // There: 1 + D_out and the link; in the queue 1 + D_in; back: 1 and the link, and the counter.
    credit_round_trip = 4 + input_stages + output_stages + 2 * design.link_latency;
  }
  if (design.in_network_reduction) {
    // A register before the tree of clog2(PORTS) levels and after each of them.
    result_stages = 1 + std::bit_width(static_cast<unsigned>(design.ports - 1));
    result_places = 4 + result_stages;
  }
  vc_throughput = std::min(1.0, static_cast<double>(output_credits) / credit_round_trip);
}

}  // namespace weft::arch
