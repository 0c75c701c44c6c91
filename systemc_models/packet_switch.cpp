// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/packet_switch.h"

#include <memory>
#include <utility>

#include "arch/network/switch_timing.h"
#include "base/error.h"
#include "systemc_models/packet_switch_model.h"

namespace weft::models {

using arch::Organisation;

PacketSwitchConstants::PacketSwitchConstants(const arch::Switch& design) {
  const arch::SwitchTiming timing(design);
  const bool crossbar = design.organisation == Organisation::crossbar;
  const bool credits = design.flow_control == arch::FlowControl::credit;
  shift = crossbar ? -1 : timing.input_stages;
  tail_delay = shift + 1 + timing.output_stages;
  depth = crossbar ? 1 : design.buffer_depth;
  // A credit is seen in the cycle after the departure and used in the one after that; ready is seen
  // and used at once. In a crossbar the next flit takes the place of the one that departs.
  room_delay = crossbar ? 0 : shift + (credits ? 2 : 1);
  whole_packets = design.switching == arch::Switching::store_and_forward;
  lists_by_output = !crossbar && design.organisation != Organisation::input_queued;
  room_by_output = lists_by_output && design.organisation != Organisation::central_buffer;
  one_an_input = design.organisation != Organisation::output_queued &&
                 design.organisation != Organisation::central_buffer;
}

void require_packet_switch(const arch::Switch& design) {
  if (design.multicast || design.in_network_reduction) {
    throw UserError("the packet model does not cover multicast and in_network_reduction");
  }
}

std::unique_ptr<PacketSwitch> make_packet_switch(const arch::Switch& design, int sink_round_trip) {
  return dispatch_packet_switch(
      design, sink_round_trip,
      [&]<typename Model>(std::in_place_type_t<Model>) -> std::unique_ptr<PacketSwitch> {
        return std::make_unique<Model>(design, sink_round_trip);
      });
}

}  // namespace weft::models
