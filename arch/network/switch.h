// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "arch/params/declaration.h"
#include "arch/params/random.h"

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
  bool clock_gating = false;
  Routing routing = Routing::destination_table;
  int destinations = 0;                       ///< 0 only before resolved(): ports
  std::vector<int> routes;                    ///< empty only before resolved(): d % ports
  int address_width = 32;                     ///< bits
  std::vector<std::uint64_t> address_bases;   ///< empty only before resolved(): equal parts
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

  /// Whether headers have an op and packets may ask for more than one output.
  [[nodiscard]] bool collectives() const { return multicast || in_network_reduction; }
  /// Whether the switch is a node of a mesh: x, y and the local port are its destinations.
  [[nodiscard]] bool mesh() const { return routing == Routing::dimension_order || adaptive(); }
  /// Whether some heads may choose between two outputs.
  [[nodiscard]] bool adaptive() const {
    return routing == Routing::west_first || routing == Routing::odd_even;
  }
};

/// The words that configurations use: "virtual_output_queued", "islip", "odd_even" ...
[[nodiscard]] std::string to_string(Organisation organisation);
[[nodiscard]] std::string to_string(Switching switching);
[[nodiscard]] std::string to_string(Allocator allocator);
[[nodiscard]] std::string to_string(Separable separable);
[[nodiscard]] std::string to_string(Routing routing);
[[nodiscard]] std::string to_string(FlowControl flow_control);
[[nodiscard]] std::string to_string(VcAllocation vc_allocation);
[[nodiscard]] std::string to_string(ClassPriority class_priority);

/// The greatest address: 2^address_width - 1.
[[nodiscard]] std::uint64_t last_address(const Switch& design);

template <>
const Declaration<Switch>& declaration();

/// The switch with everything that is 0 or empty as `auto` gives it: what a configuration that
/// leaves it out describes. For switches that are built in code.
[[nodiscard]] Switch resolved(const Switch& design);

/// A legal switch; `narrowed` as for random_values, for example {{"ports", IntRange{2, 9}}}.
[[nodiscard]] Switch random_switch(std::mt19937_64& random, const Narrowed& narrowed = {});

}  // namespace weft::arch
