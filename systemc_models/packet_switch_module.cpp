// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/packet_switch_module.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "arch/network/header.h"

namespace weft::models {
namespace {

using sc_core::sc_time;

constexpr const char* message_type = "/weft/switch";

}  // namespace

PacketSwitchModule::PacketSwitchModule(const sc_core::sc_module_name& name,
                                       const arch::Switch& design, const sc_time& clock_period,
                                       arch::Position position)
    : sc_module(name),
      in("in", static_cast<std::size_t>(design.ports)),
      out("out", static_cast<std::size_t>(design.ports)),
      design_(design),
      period_(clock_period),
      model_(make_packet_switch(design, PacketSwitch::explicit_credits)),
      entering_(static_cast<std::size_t>(design.ports * design.virtual_channels)),
      next_vc_(in.size()),
      next_hops_(entering_.size()),
      in_ports_("in_port"),
      out_ports_("out_port") {
  if (period_ == sc_core::SC_ZERO_TIME) SC_REPORT_FATAL(message_type, "the clock period is zero");
  if (sc_core::sc_get_time_resolution() != sc_time(1, sc_core::SC_PS)) {
    SC_REPORT_FATAL(message_type, "the time resolution must be 1 ps");
  }
  in_ports_.init(in.size(), [&](const char* port, std::size_t i) {
    // What is offered within a cycle counts from the next one's start on.
    return new SwitchInPort(port, design_, static_cast<int>(i), position, [this] {
      wake_for(cycle_at(sc_core::sc_time_stamp() + period_ - sc_core::sc_get_time_resolution()));
    });
  });
  out_ports_.init(out.size(), [&](const char* port, std::size_t o) {
    return new SwitchOutPort(port, [this, o](int vc) { taken(static_cast<int>(o), vc); });
  });
  for (std::size_t p = 0; p < in.size(); ++p) {
    in[p].bind(in_ports_[p].socket);
    out_ports_[p].socket.bind(out[p]);
  }
  SC_METHOD(run);
  sensitive << wake_;
  dont_initialize();
}

std::size_t PacketSwitchModule::port_vc(int port, int vc) const {
  return static_cast<std::size_t>(port * design_.virtual_channels + vc);
}

std::uint64_t PacketSwitchModule::cycle_at(const sc_time& time) const {
  return time.value() / period_.value();
}

// Sees to it that run() is called for a cycle: at its end, when everything offered by its beginning
// is known.
void PacketSwitchModule::wake_for(std::uint64_t cycle) {
  const sc_time end = sc_time::from_value((cycle + 1) * period_.value());
  const sc_time& now = sc_core::sc_time_stamp();
  // Of two notifications an event keeps the earlier one.
  wake_.notify(end > now ? end - now : sc_core::SC_ZERO_TIME);
}

void PacketSwitchModule::run() {
  const std::uint64_t cycle = cycle_at(sc_core::sc_time_stamp()) - 1;
  model_->advance(cycle, departures_);
  advanced_ = cycle;
  depart(cycle);
  deliver(cycle);
  for (int i = 0; i < design_.ports; ++i) {
    finish_entries(i, cycle);
    offer(i, cycle);
  }

  std::uint64_t next = model_->next(cycle);
  if (!deliveries_.empty()) next = std::min(next, deliveries_.top().cycle);
  for (const auto& packet : entering_) {
    if (packet && packet->tail > cycle) next = std::min(next, packet->tail);
  }
  if (next != never) wake_for(next);
}

// Packets that were granted: their flits leave from now on.
void PacketSwitchModule::depart(std::uint64_t cycle) {
  for (const PacketDeparture& departure : departures_) {
    const SwitchPacket& packet = departure.packet;
    LeavingPacket& leaving = packets_[packet.tag];
    leaving.head = sc_time::from_value((departure.head + 1) * period_.value());
    leaving.tail = sc_time::from_value((departure.tail + 1) * period_.value());
    deliveries_.push({std::max(departure.tail, cycle), grants_++, packet.output, packet.tag});
    NextHop& next_hop = next_hops_[port_vc(packet.output, packet.vc)];
    if (next_hop.not_taken != 0) {
      next_hop.withheld.push_back(packet.flits);
      continue;
    }
    // A place is free in the cycle after the flit was taken; a credit takes a cycle more.
    const int back = design_.flow_control == arch::FlowControl::credit ? 2 : 1;
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
    out_ports_[static_cast<std::size_t>(delivery.output)].send(std::move(packet));
  }
}

// The next hop has taken a packet.
void PacketSwitchModule::taken(int output, int vc) {
  NextHop& next_hop = next_hops_[port_vc(output, vc)];
  --next_hop.not_taken;
  if (next_hop.withheld.empty()) return;
  const std::uint64_t now = cycle_at(sc_core::sc_time_stamp());
  model_->give_room(output, vc, next_hop.withheld.front(), now + 1);
  next_hop.withheld.pop_front();
  wake_for(std::max(advanced_ + 1, now));
}

void PacketSwitchModule::finish_entries(int input, std::uint64_t cycle) {
  for (int vc = 0; vc < design_.virtual_channels; ++vc) {
    std::optional<Entering>& packet = entering_[port_vc(input, vc)];
    if (!packet || packet->tail > cycle || model_->room(input, packet->output, vc) < 0) continue;
    packet.reset();
    in_ports_[static_cast<std::size_t>(input)].tail_entered(vc);
  }
}

bool PacketSwitchModule::is_free(int input) const {
  return (model_->free_inputs()[static_cast<std::size_t>(input) / 64] >> (input % 64) & 1) != 0;
}

// Lets a packet of the next VC that has one, and room, enter.
void PacketSwitchModule::offer(int input, std::uint64_t cycle) {
  if (!is_free(input)) return;
  const auto i = static_cast<std::size_t>(input);
  const sc_time start = sc_time::from_value(cycle * period_.value());
  for (int k = 0; k < design_.virtual_channels; ++k) {
    const int vc = (next_vc_[i] + k) % design_.virtual_channels;
    const EnteringPacket* packet = in_ports_[i].packet(vc);
    std::optional<Entering>& entering = entering_[port_vc(input, vc)];
    if (packet == nullptr || packet->offered > start || entering) continue;
    const int output = packet->outputs.first;
    if (model_->room(input, output, vc) <= 0) continue;
    next_vc_[i] = (vc + 1) % design_.virtual_channels;
    entering = {output, cycle + static_cast<std::uint64_t>(packet->flits) - 1};
    model_->offer({enter(*packet, input), input, output, vc, packet->flits}, cycle);
    in_ports_[i].head_entered(vc);
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
  const auto bytes = static_cast<std::size_t>(design_.flit_width + 7) / 8;
  std::vector<std::uint64_t> head((bytes + 7) / 8);
  in_ports_[static_cast<std::size_t>(input)].copy_flit(packet.vc, 0, head);
  arch::write_header(design_, arch::forwarded(design_, packet.header), head);
  std::memcpy(leaving.data.data(), head.data(), bytes);
  return tag;
}

}  // namespace weft::models
