// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::arch {

/// Where flits wait (docs/switch.md, "Queues").
enum class Organisation {
  virtual_output_queued,
  input_queued,
  output_queued,
  central_buffer,
  crossbar,
};
enum class Switching { wormhole, virtual_cut_through, store_and_forward };
enum class Allocator { round_robin, islip, wavefront, matrix };
enum class Separable { input_first, output_first };
enum class Routing {
  destination_table,
  address,
  source,
  dimension_order,
  west_first,
  odd_even,
  up_down,
};
enum class FlowControl { credit, ready_valid };
enum class VcAllocation { keep, any };
enum class ClassPriority { strict, weighted };

/// Everything that defines a switch (docs/switch.md). The members are the parameters that
/// switch.cpp declares, with legal values, unit and meaning, and hold their defaults. After reading
/// a configuration every member has its final value.
struct Switch {
  std::string name = "weft_switch";
  int ports = 16;
  int flit_width = 64;
  Organisation organisation = Organisation::virtual_output_queued;
  int buffer_depth = 8;
  int max_packet_flits = 8;
  Switching switching = Switching::wormhole;
  FlowControl flow_control = FlowControl::credit;
  int virtual_channels = 1;
  VcAllocation vc_allocation = VcAllocation::keep;
  int credits = 0;  ///< 0 only before resolved(): buffer_depth
  int link_latency = 1;
  int traffic_classes = 1;
  ClassPriority class_priority = ClassPriority::strict;
  std::vector<int> class_weights;  ///< empty only before resolved(): a 1 for every class
  Allocator allocator = Allocator::islip;
  Separable separable = Separable::input_first;
  int islip_iterations = 1;
  int pipeline = 1;  ///< stages, 1..4; written single_cycle, 2, 3, 4
  bool speculative_allocation = false;
  bool lookahead_routing = false;
  Routing routing = Routing::destination_table;
  int destinations = 0;                      ///< 0 only before resolved(): ports
  std::vector<int> routes;                   ///< empty only before resolved(): d % ports
  int address_width = 32;                    ///< bits
  std::vector<std::uint64_t> address_bases;  ///< empty only before resolved(): equal parts
  std::vector<std::uint64_t> address_limits;  ///< last address of each port, inclusive
  int max_hops = 1;
  int mesh_columns = 4;
  int mesh_rows = 4;
  int up_ports = 0;
  int down_destinations = 1;
  int first_destination = 0;
  bool multicast = false;
  bool in_network_reduction = false;

  bool operator==(const Switch&) const = default;
};

}  // namespace weft::arch
