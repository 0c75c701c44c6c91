// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "arch/network/switch.h"

namespace weft::models {

/// A packet as the switch sees it.
struct SwitchPacket {
  std::uint64_t tag = 0;  ///< the caller's
  int input = 0;
  int output = 0;
  int vc = 0;
  int flits = 1;
};

/// A packet that leaves. All of it follows its head without a gap unless credits are too few.
struct PacketDeparture {
  SwitchPacket packet;
  std::uint64_t head = 0;  ///< cycle in which its head stands on the output
  std::uint64_t tail = 0;  ///< cycle in which its tail does
};

/// The switch at transaction level: a packet is an event, which takes an input and an output for as
/// many cycles as it has flits. Latencies, credits and arbitration are those of docs/switch.md,
/// with the allocators choosing among packets instead of flits. Where that is not exact:
///
/// - a packet under way is not interrupted by more urgent ones;
/// - a packet leaves in one piece even if its flits arrive with gaps (other VCs, credits that are
///   fewer than their round trip);
/// - with wormhole switching it begins when the credits for all of it are certain, if only one flit
///   after the other;
/// - VCs keep their number whatever `vc_allocation` says; grants wasted by speculation are not
///   modelled.
///
/// Collectives are not modelled.
class PacketSwitch {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  /// For `sink_round_trip`: credits come by give_room().
  static constexpr int explicit_credits = -1;

  virtual ~PacketSwitch() = default;
  PacketSwitch(const PacketSwitch&) = delete;
  PacketSwitch& operator=(const PacketSwitch&) = delete;

  /// What happens in `cycle`: packets are granted and appended to `departures`. To be called before
  /// the offers of that cycle, with rising cycles that leave out none of next() and none after an
  /// offer.
  virtual void advance(std::uint64_t cycle, std::vector<PacketDeparture>& departures) = 0;
  /// The first cycle after `cycle`, the last one advanced to, in which something can happen.
  [[nodiscard]] virtual std::uint64_t next(std::uint64_t cycle) const = 0;

  /// Inputs at which a packet may begin in the cycle last advanced to, bit input % 64 of word
  /// input / 64.
  [[nodiscard]] std::span<const std::uint64_t> free_inputs() const { return free_inputs_; }
  /// Flits that the input's queue for `output` and `vc` has room for; a packet may begin when it is
  /// positive. Negative while a packet is longer than the room that it found.
  [[nodiscard]] int room(int input, int output, int vc) const {
    return room_[room_index(input, output, vc)];
  }
  /// The head of a packet stands on its input in `cycle`, the one last advanced to. The input must
  /// be free and have room, and nothing else may begin there in that cycle.
  virtual void offer(const SwitchPacket& packet, std::uint64_t cycle) = 0;
  /// The next hop has room for `flits` more of a VC: the first can be spent by a flit that departs
  /// in `cycle` (the one after the credit's pulse), then one a cycle. A grant is known D_in cycles
  /// before the departure: room that is not told before advance(cycle - D_in) counts from the next
  /// advance on.
  virtual void give_room(int output, int vc, int flits, std::uint64_t cycle) = 0;

 protected:
  PacketSwitch() = default;
  [[nodiscard]] std::size_t room_index(int input, int output, int vc) const {
    return static_cast<std::size_t>(input) * room_of_input_ +
           static_cast<std::size_t>(output) * room_of_output_ + static_cast<std::size_t>(vc);
  }

  std::span<const std::uint64_t> free_inputs_;
  std::vector<int> room_;
  std::size_t room_of_input_ = 1;   ///< distance of the inputs in room_
  std::size_t room_of_output_ = 0;  ///< distance of the outputs; 0 if they share one place
};

/// A switch in its state after reset. `sink_round_trip`: cycles from a flit's departure until the
/// credit for it can be used again, for next hops that take everything at once; or
/// explicit_credits. Throws UserError for what the model does not cover.
[[nodiscard]] std::unique_ptr<PacketSwitch> make_packet_switch(const arch::Switch& design,
                                                               int sink_round_trip);

}  // namespace weft::models
