// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/next_hop_room.h"

#include <algorithm>

#include "arch/network/switch_timing.h"
#include "systemc_models/packet_switch.h"

namespace weft::models {

NextHopRoom::NextHopRoom(const arch::Switch& design, int sink_round_trip)
    : credits_(arch::SwitchTiming(design).output_credits),
      needed_(design.switching == arch::Switching::wormhole
                  ? 1
                  : std::min(design.max_packet_flits, credits_)),
      sink_round_trip_(sink_round_trip) {
  if (sink_round_trip != PacketSwitch::explicit_credits) {
    // With flits in every cycle at most round trip - 1 credits are under way.
    unlimited_ = design.flow_control == arch::FlowControl::ready_valid ||
                 credits_ - needed_ >= sink_round_trip - 1;
  }
  capacity_ = static_cast<std::size_t>(credits_) + 1;
  if (unlimited_) return;
  const auto places = static_cast<std::size_t>(design.ports * design.virtual_channels);
  places_.assign(places, {credits_, 0, 0});
  runs_.assign(places * capacity_, {});
}

void NextHopRoom::settle(std::size_t place, std::uint64_t now) {
  Place& p = places_[place];
  while (p.runs > 0) {
    Run& first = run(place, 0);
    if (first.cycle > now) return;
    const int come = static_cast<int>(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(first.flits), now - first.cycle + 1));
    p.room += come;
    first.flits -= come;
    first.cycle += static_cast<std::uint64_t>(come);
    if (first.flits > 0) return;
    drop_run(p);
  }
}

bool NextHopRoom::may_begin(std::size_t place, int flits, std::uint64_t now) {
  settle(place, now);
  const Place& p = places_[place];
  if (p.room < needed_) return false;
  int certain = p.room;
  for (std::size_t r = 0; r < p.runs && certain < flits; ++r) certain += run(place, r).flits;
  return certain >= std::min(flits, credits_);
}

std::uint64_t NextHopRoom::begin(std::size_t place, int flits, std::uint64_t now) {
  Place& p = places_[place];
  const bool returns = sink_round_trip_ != PacketSwitch::explicit_credits;
  std::uint64_t next = now;  // departure of the next flit
  const auto depart = [&](int number, std::uint64_t earliest) {
    next = std::max(next, earliest);
    if (returns) give(place, number, next + static_cast<std::uint64_t>(sink_round_trip_));
    next += static_cast<std::uint64_t>(number);
  };
  int left = flits;
  const int at_hand = std::min(left, p.room);
  p.room -= at_hand;
  left -= at_hand;
  depart(at_hand, now);
  while (left > 0 && p.runs > 0) {  // among them credits of this packet's own flits
    Run& first = run(place, 0);
    const Run taken{first.cycle, std::min(left, first.flits)};
    first.cycle += static_cast<std::uint64_t>(taken.flits);
    first.flits -= taken.flits;
    if (first.flits == 0) drop_run(p);
    left -= taken.flits;
    depart(taken.flits, taken.cycle);
  }
  p.room -= left;
  next += static_cast<std::uint64_t>(left);
  return next - 1;
}

void NextHopRoom::give(std::size_t place, int flits, std::uint64_t cycle) {
  Place& p = places_[place];
  run(place, p.runs) = {cycle, flits};
  ++p.runs;
}

}  // namespace weft::models
