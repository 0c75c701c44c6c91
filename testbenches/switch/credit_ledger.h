// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "verif/network/endpoint_observer.h"
#include "verif/network/switch_targets.h"
#include "verif/network/violations.h"

namespace weft::verif {

/// Credits of a switch's inputs against what comes out, cycle by cycle: a credit stands for a flit
/// that departs, at its time, and each flit that departs gives one. So at every cycle the credits
/// that a source holds, the flits on their way to a queue and those in it make the queue's depth.
/// Only for credit flow control.
///
/// A departure shows on the outputs 1 + D_out cycles later, its credit one cycle later; so what
/// stands on the outputs now is held against the credits of D_out cycles ago. What a reduction
/// takes from its members shows nowhere: there the credits are only counted.
class CreditLedger : public EndpointObserver {
 public:
  CreditLedger(const arch::Switch& design, const SwitchTargets& targets, Violations& violations);

  void sent(const Packet& packet, int index, std::uint64_t cycle) override;
  void received(const Packet& packet, int index, int output, int vc, std::uint64_t cycle) override;
  void credit(int input, int queue, std::uint64_t cycle) override;

  /// To be called when everything of a cycle has been seen.
  void end_cycle(std::uint64_t cycle);
  void reset();

 private:
  [[nodiscard]] std::size_t index(int input, int queue) const {
    return static_cast<std::size_t>(input * queues_ + queue);
  }
  void complain(std::size_t place, std::uint64_t cycle, const char* what);

  const SwitchTargets* targets_;
  Violations* violations_;
  int queues_;
  int delay_;                      ///< D_out
  std::vector<int> owed_;          ///< [input][queue]: flits that departed and gave no credit yet
  std::vector<int> contributed_;   ///< [input][queue]: flits of reductions that gave no credit yet
  std::vector<std::size_t> open_;  ///< places that owe something
  std::vector<std::vector<std::size_t>> pulses_;  ///< of the last D_out + 1 cycles
};

}  // namespace weft::verif
