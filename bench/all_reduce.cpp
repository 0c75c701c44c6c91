// SPDX-License-Identifier: Apache-2.0
//
// In-network reduction against the ring algorithm, on the RTL of a switch. Arguments: ports (16),
// flits a packet (16), packets a share of the vector (8).
#include "testbenches/switch/all_reduce.h"

#include <fmt/format.h>

#include <cstdlib>
#include <span>

#include "testbenches/switch/emitted_switch.h"
#include "verif/dut_builder.h"

int main(int argc, char** argv) {
  using namespace weft;
  const auto arguments = std::span(argv, static_cast<std::size_t>(argc)).subspan(1);
  const auto argument = [&](std::size_t i, int otherwise) {
    return i < arguments.size() ? std::atoi(arguments[i]) : otherwise;
  };
  arch::Switch design;
  design.name = "all_reduce";
  design.ports = argument(0, 16);
  const verif::AllReduceShape shape{argument(2, 8), argument(1, 16)};
  design.buffer_depth = 64;
  design.max_packet_flits = shape.packet_flits;
  design.multicast = true;
  design.in_network_reduction = true;
  design = arch::resolved(design);

  const verif::DutDescription description =
      verif::describe_switch(design, verif::emitted_switch(design));
  const verif::BuiltDut built = verif::build_dut(description);
  verif::RtlSwitch rtl(design, description, built.library);

  const auto ring = verif::ring_all_reduce(rtl, design, shape);
  const auto network = verif::in_network_all_reduce(rtl, design, shape);
  fmt::print("all-reduce of {} shares of {} packets of {} flits, {} ports, RTL\n", design.ports,
             shape.packets_a_share, shape.packet_flits, design.ports);
  const auto line = [](const char* name, const verif::AllReduceRun& run, std::uint64_t bound) {
    fmt::print("{:<12} {:>8} cycles, {:>8} at least{}{}\n", name, run.cycles, bound,
               run.violation.empty() ? "" : ", WRONG: ", run.violation);
  };
  const auto ring_least = verif::ring_bound(design, shape);
  const auto network_least = verif::in_network_bound(design, shape);
  line("ring", ring, ring_least);
  line("in-network", network, network_least);
  fmt::print("speed-up {:.3f}, in theory 2 (n - 1) / n = {:.3f}\n",
             static_cast<double>(ring.cycles) / static_cast<double>(network.cycles),
             static_cast<double>(ring_least) / static_cast<double>(network_least));
  return ring.violation.empty() && network.violation.empty() ? 0 : 1;
}
