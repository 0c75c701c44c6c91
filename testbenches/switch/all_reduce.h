// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"

namespace weft::verif {

/// A vector that every port has and of which every port wants the sum.
struct AllReduceShape {
  int packets_a_share = 4;  ///< the vector is cut into one share a port, each of so many packets
  int packet_flits = 8;     ///< the head and packet_flits - 1 flits of data; at least 2
};

/// What an all-reduce took.
struct AllReduceRun {
  std::uint64_t cycles = 0;  ///< from the first flit's entry until the last one is out
  std::string violation;     ///< what went wrong first; empty: every flit came out as it should
};

/// The ring algorithm, without help of the switch: 2 (n - 1) steps in which each port hands a share
/// to the next port, n - 1 to add up and n - 1 to spread the sums. A packet of one step goes on in
/// the next as soon as it has arrived; adding takes no time. At one flit a cycle and port that is
/// at least 2 (n - 1) shares of flits.
[[nodiscard]] AllReduceRun ring_all_reduce(arch::SwitchSimulation& simulation,
                                           const arch::Switch& design, const AllReduceShape& shape);

/// In-network reduction: each port sends its vector up once, and the switch sends the sums down to
/// all of them: at least n shares of flits. The design has in_network_reduction.
[[nodiscard]] AllReduceRun in_network_all_reduce(arch::SwitchSimulation& simulation,
                                                 const arch::Switch& design,
                                                 const AllReduceShape& shape);

/// Cycles that the links need for what the algorithm sends, whatever the switch does.
[[nodiscard]] std::uint64_t ring_bound(const arch::Switch& design, const AllReduceShape& shape);
[[nodiscard]] std::uint64_t in_network_bound(const arch::Switch& design,
                                             const AllReduceShape& shape);

}  // namespace weft::verif
