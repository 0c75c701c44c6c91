// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/packet_switch_module.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "arch/network/header.h"

namespace weft::models {

using sc_core::sc_time;

PacketSwitchModule::PacketSwitchModule(const sc_core::sc_module_name& name,
                                       const arch::Switch& design, const sc_time& clock_period,
                                       arch::Position position)
    : SwitchModule(name, design, clock_period, position),
      model_(make_packet_switch(design, PacketSwitch::explicit_credits)),
      entering_(as_index(design.ports * design.virtual_channels)),
      next_vc_(in.size()),
      next_hops_(entering_.size()) {
  SC_METHOD(run);
  sensitive << wake_;
  dont_initialize();
}

void PacketSwitchModule::packet_offered() { wake_for(first_cycle_from(sc_core::sc_time_stamp())); }

std::uint64_t PacketSwitchModule::cycle_at(const sc_time& time) const {
  return time.value() / period().value();
}

// What is offered within a cycle counts from the next one's start on.
std::uint64_t PacketSwitchModule::first_cycle_from(const sc_time& time) const {
  return (time.value() + period().value() - 1) / period().value();
}

// Sees to it that run() is called for a cycle: at its end, when everything offered by its beginning
// is known.
void PacketSwitchModule::wake_for(std::uint64_t cycle) {
  const sc_time end = sc_time::from_value((cycle + 1) * period().value());
  // Of two notifications an event keeps the earlier one.
  wake_.notify(end - sc_core::sc_time_stamp());
}

void PacketSwitchModule::run() {
  const std::uint64_t cycle = cycle_at(sc_core::sc_time_stamp()) - 1;
  model_->advance(cycle, departures_);
  advanced_ = cycle;
  depart(cycle);
  deliver(cycle);
  for (int i = 0; i < design().ports; ++i) {
    finish_entries(i, cycle);
    offer(i, cycle);
  }

  const std::uint64_t next = next_cycle(cycle);
  if (next != never) wake_for(next);
}

// The first cycle after this one in which something can happen.
std::uint64_t PacketSwitchModule::next_cycle(std::uint64_t cycle) const {
  std::uint64_t next = model_->next(cycle);
  if (!deliveries_.empty()) next = std::min(next, deliveries_.top().cycle);
  for (int i = 0; i < design().ports; ++i) {
    for (int vc = 0; vc < design().virtual_channels; ++vc) {
      const auto& entering = entering_[port_vc(i, vc)];
      const EnteringPacket* packet = in_port(i).packet(vc);
      if (entering) {
        if (entering->tail > cycle) next = std::min(next, entering->tail);
      } else if (packet != nullptr) {
        next = std::min(next, first_chance(i, vc, *packet, cycle));
      }
    }
  }
  return next;
}

// The cycle after this one in which a packet that waits may enter, unless the model says when.
std::uint64_t PacketSwitchModule::first_chance(int input, int vc, const EnteringPacket& packet,
                                               std::uint64_t cycle) const {
  const bool may_enter = is_free(input) && model_->room(input, packet.outputs.first, vc) > 0;
  const std::uint64_t offered = first_cycle_from(packet.offered);
  if (offered > cycle) return offered;
  return may_enter ? cycle + 1 : never;
}

// Packets that were granted: their flits leave from now on.
void PacketSwitchModule::depart(std::uint64_t cycle) {
  for (const PacketDeparture& departure : departures_) {
    const SwitchPacket& packet = departure.packet;
    LeavingPacket& leaving = packets_[packet.tag];
    leaving.head = sc_time::from_value((departure.head + 1) * period().value());
    leaving.tail = sc_time::from_value((departure.tail + 1) * period().value());
    deliveries_.push({std::max(departure.tail, cycle), grants_++, packet.output, packet.tag});
    NextHop& next_hop = next_hops_[port_vc(packet.output, packet.vc)];
    if (next_hop.not_taken != 0) {
      next_hop.withheld.push_back(packet.flits);
      continue;
    }
    // A place is free in the cycle after the flit was taken; a credit takes a cycle more.
    const int back = with_credits() ? 2 : 1;
    model_->give_room(packet.output, packet.vc, packet.flits,
                      departure.head + static_cast<std::uint64_t>(back));
  }
  departures_.clear();
}

void PacketSwitchModule::deliver(std::uint64_t cycle) {
  while (!deliveries_.empty() && deliveries_.top().cycle <= cycle) {
    const Delivery delivery = deliveries_.top();
    deliveries_.pop();
    LeavingPacket packet = std::move(packets_[delivery.tag]);
    free_tags_.push_back(delivery.tag);
    ++next_hops_[port_vc(delivery.output, packet.vc)].not_taken;
    out_port(delivery.output).send(std::move(packet));
  }
}

// The next hop has taken a packet.
void PacketSwitchModule::packet_taken(int output, int vc) {
  NextHop& next_hop = next_hops_[port_vc(output, vc)];
  --next_hop.not_taken;
  if (next_hop.withheld.empty()) return;
  const std::uint64_t now = cycle_at(sc_core::sc_time_stamp());
  model_->give_room(output, vc, next_hop.withheld.front(), now + 1);
  next_hop.withheld.pop_front();
  wake_for(std::max(advanced_ + 1, now));
}

void PacketSwitchModule::finish_entries(int input, std::uint64_t cycle) {
  for (int vc = 0; vc < design().virtual_channels; ++vc) {
    std::optional<Entering>& packet = entering_[port_vc(input, vc)];
    if (!packet || packet->tail > cycle || model_->room(input, packet->output, vc) < 0) continue;
    packet.reset();
    in_port(input).tail_entered(vc);
  }
}

bool PacketSwitchModule::is_free(int input) const {
  return (model_->free_inputs()[as_index(input) / 64] >> (input % 64) & 1) != 0;
}

// Lets a packet of the next VC that has one, and room, enter.
void PacketSwitchModule::offer(int input, std::uint64_t cycle) {
  if (!is_free(input)) return;
  const auto i = as_index(input);
  const sc_time start = sc_time::from_value(cycle * period().value());
  for (int k = 0; k < design().virtual_channels; ++k) {
    const int vc = (next_vc_[i] + k) % design().virtual_channels;
    const EnteringPacket* packet = in_port(input).packet(vc);
    std::optional<Entering>& entering = entering_[port_vc(input, vc)];
    if (packet == nullptr || packet->offered > start || entering) continue;
    const int output = packet->outputs.first;
    if (model_->room(input, output, vc) <= 0) continue;
    next_vc_[i] = (vc + 1) % design().virtual_channels;
    entering = {output, cycle + static_cast<std::uint64_t>(packet->flits) - 1};
    model_->offer({enter(*packet, input), input, output, vc, packet->flits}, cycle);
    in_port(input).head_entered(vc);
    finish_entries(input, cycle);
    return;
  }
}

// Keeps what will leave of a packet; its number.
std::uint64_t PacketSwitchModule::enter(const EnteringPacket& packet, int input) {
  if (free_tags_.empty()) {
    free_tags_.push_back(packets_.size());
    packets_.emplace_back();
  }
  const std::uint64_t tag = free_tags_.back();
  free_tags_.pop_back();
  LeavingPacket& leaving = packets_[tag];
  leaving.vc = packet.vc;
  const unsigned char* data = packet.payload->get_data_ptr();
  leaving.data.assign(data, data + packet.payload->get_data_length());
  const auto bytes = as_index(design().flit_width + 7) / 8;
  std::vector<std::uint64_t> head((bytes + 7) / 8);
  in_port(input).copy_flit(packet.vc, 0, head);
  arch::write_header(design(), arch::forwarded(design(), packet.header), head);
  std::memcpy(leaving.data.data(), head.data(), bytes);
  return tag;
}

}  // namespace weft::models
