// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "arch/network/header.h"
#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"

namespace weft::models {

/// Why the flit at the front of a queue stays there.
enum class WaitReason {
  credit,       ///< its output has no credit for it (a head: not the room that it needs)
  held_vc,      ///< the (output, VC) that it needs is held by other packets
  arbitration,  ///< it may go and others are chosen
  own_flits,    ///< its packet has begun, or must be complete to begin, and flits are missing
  members,      ///< a reduction whose other members have not come
  collective,   ///< a multicast behind other collective packets
};

/// A packet that holds an (output, VC) or waits for one.
struct PacketPlace {
  int input = 0;  ///< -1: a result of a reduction
  int queue = 0;
};

/// A queue that does not move.
struct Waiting {
  PacketPlace who;
  arch::PortSet outputs;  ///< it wants to go to; of a reduction the members that are missing
  int vc = 0;             ///< of the output if it holds one, else of the queue
  WaitReason reason = WaitReason::arbitration;
  std::vector<PacketPlace> holders;  ///< of what it waits for, with reason held_vc
};

/// The switch of docs/switch.md, exact in every cycle and every bit of its pins.
class CycleSwitch : public arch::SwitchSimulation {
 public:
  /// `design` is legal and complete (arch::resolved).
  explicit CycleSwitch(const arch::Switch& design);
  ~CycleSwitch() override;
  CycleSwitch(const CycleSwitch&) = delete;
  CycleSwitch& operator=(const CycleSwitch&) = delete;

  void reset() override;
  void set_position(int x, int y) override;
  /// Throws std::logic_error when a flit enters without a credit.
  const arch::SwitchOutputs& cycle(const arch::SwitchInputs& inputs) override;

  // What the state is after the last cycle; the sums below hold between any two cycles.

  /// Flits accepted for a queue that have not departed. With credits: those that the source holds
  /// + flits under way to the queue + occupied + owed_credits + credits under way = buffer_depth.
  [[nodiscard]] int occupied(int input, int queue) const;
  /// Credits of departed flits that were not on the pins yet.
  [[nodiscard]] int owed_credits(int input, int queue) const;
  /// Credits of an (output, VC). credits + leaving + flits under way to the next hop + flits there
  /// + credits under way = those at reset (switch_timing.h).
  [[nodiscard]] int credits(int output, int vc) const;
  /// Flits that departed and were not on the pins yet; with ready/valid, not taken yet.
  [[nodiscard]] int leaving(int output, int vc) const;

  /// Who waits for whom: every queue with a flit, or with a packet that has begun.
  [[nodiscard]] std::vector<Waiting> waiting() const;

  /// What the class hides: the switch for a type of port mask and of pins.
  class Core;

 private:
  std::unique_ptr<Core> core_;
};

}  // namespace weft::models
