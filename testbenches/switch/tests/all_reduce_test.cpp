// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/all_reduce.h"

#include <gtest/gtest.h>

#include "arch/network/switch_timing.h"
#include "systemc_models/switch/cycle_switch.h"

namespace weft::verif {
namespace {

arch::Switch reducing(int ports, int packet_flits) {
  arch::Switch design;
  design.ports = ports;
  design.max_packet_flits = packet_flits;
  design.buffer_depth = 4 * packet_flits;
  design.multicast = true;
  design.in_network_reduction = true;
  return arch::resolved(design);
}

/// The links of the ports are busy all the time, in both algorithms, but for the latency of the
/// switch: once for each step of the ring, and twice (in, and out through the result FIFO) for the
/// reduction.
TEST(AllReduce, TakesWhatTheLinksNeed) {
  for (const int ports : {2, 5, 16}) {
    const AllReduceShape shape{3, 6};
    const arch::Switch design = reducing(ports, shape.packet_flits);
    models::CycleSwitch model(design);
    const auto latency = static_cast<std::uint64_t>(arch::SwitchTiming(design).latency);

    const AllReduceRun ring = ring_all_reduce(model, design, shape);
    EXPECT_EQ(ring.violation, "");
    EXPECT_GE(ring.cycles, ring_bound(design, shape) + latency);
    EXPECT_LE(ring.cycles,
              ring_bound(design, shape) + 2 * static_cast<std::uint64_t>(ports) * (latency + 2));

    const AllReduceRun network = in_network_all_reduce(model, design, shape);
    EXPECT_EQ(network.violation, "");
    EXPECT_GE(network.cycles, in_network_bound(design, shape) + latency);
    const auto packets = static_cast<std::uint64_t>(ports * shape.packets_a_share);
    EXPECT_LE(network.cycles, in_network_bound(design, shape) + 2 * latency + packets);
  }
}

}  // namespace
}  // namespace weft::verif
