// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <systemc>
#include <vector>

#include "arch/network/routing.h"
#include "systemc_models/packet_switch.h"
#include "systemc_models/switch_module.h"

namespace weft::models {

/// The switch as an approximately timed TLM-2.0 module around the packet model: SwitchModule with
/// the accuracy of PacketSwitch and a few activations a packet instead of one a clock cycle.
/// Adaptive routing takes the first of its outputs. Collectives are not modelled: the constructor
/// throws UserError.
///
/// Back pressure reaches packets that are granted after a next hop has begun to wait; those under
/// way then still come.
class PacketSwitchModule : public SwitchModule {
 public:
  SC_HAS_PROCESS(PacketSwitchModule);

  /// `position`: where the switch is, for routing in meshes.
  PacketSwitchModule(const sc_core::sc_module_name& name, const arch::Switch& design,
                     const sc_core::sc_time& clock_period, arch::Position position = {});

 private:
  static constexpr std::uint64_t never = PacketSwitch::never;

  // A packet whose flits enter by an (input, VC).
  struct Entering {
    int output = 0;
    std::uint64_t tail = 0;  // cycle in which the last flit enters, with room for all
  };
  // Packets behind an (output, VC).
  struct NextHop {
    int not_taken = 0;         // have left completely, and were not taken
    std::deque<int> withheld;  // flits of packets whose credits wait for that
  };
  struct Delivery {
    std::uint64_t cycle = 0;
    std::uint64_t order = 0;  // of the grants
    int output = 0;
    std::uint64_t tag = 0;
    bool operator<(const Delivery& other) const {
      return cycle != other.cycle ? cycle > other.cycle : order > other.order;
    }
  };

  void packet_offered() override;
  void packet_taken(int output, int vc) override;
  void run();
  void depart(std::uint64_t cycle);
  void deliver(std::uint64_t cycle);
  void finish_entries(int input, std::uint64_t cycle);
  void offer(int input, std::uint64_t cycle);
  [[nodiscard]] bool is_free(int input) const;
  [[nodiscard]] std::uint64_t enter(const EnteringPacket& packet, int input);
  void wake_for(std::uint64_t cycle);
  [[nodiscard]] std::uint64_t next_cycle(std::uint64_t cycle) const;
  [[nodiscard]] std::uint64_t first_chance(int input, int vc, const EnteringPacket& packet,
                                           std::uint64_t cycle) const;
  [[nodiscard]] std::uint64_t first_cycle_from(const sc_core::sc_time& time) const;
  [[nodiscard]] std::uint64_t cycle_at(const sc_core::sc_time& time) const;

  std::unique_ptr<PacketSwitch> model_;
  std::uint64_t advanced_ = 0;                     // the model's last cycle, if any
  std::vector<std::optional<Entering>> entering_;  // [input][vc]
  std::vector<int> next_vc_;                       // [input]: whose turn it is
  std::vector<NextHop> next_hops_;                 // [output][vc]
  std::vector<LeavingPacket> packets_;             // [tag]: in the switch
  std::vector<std::uint64_t> free_tags_;
  std::vector<PacketDeparture> departures_;
  std::priority_queue<Delivery> deliveries_;
  std::uint64_t grants_ = 0;
  sc_core::sc_event wake_;
};

}  // namespace weft::models
