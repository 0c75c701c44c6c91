// SPDX-License-Identifier: Apache-2.0
#include "arch/network/switch.h"

#include <algorithm>
#include <set>

#include "arch/network/header.h"
#include "arch/network/switch_rules.h"

namespace weft::arch {
namespace {

const Enumeration<Organisation>& organisation_words() {
  static const Enumeration<Organisation> words{{
      {"virtual_output_queued", Organisation::virtual_output_queued},
      {"input_queued", Organisation::input_queued},
      {"output_queued", Organisation::output_queued},
      {"central_buffer", Organisation::central_buffer},
      {"crossbar", Organisation::crossbar},
  }};
  return words;
}

const Enumeration<Switching>& switching_words() {
  static const Enumeration<Switching> words{{
      {"wormhole", Switching::wormhole},
      {"virtual_cut_through", Switching::virtual_cut_through},
      {"store_and_forward", Switching::store_and_forward},
  }};
  return words;
}

const Enumeration<Allocator>& allocator_words() {
  static const Enumeration<Allocator> words{{
      {"round_robin", Allocator::round_robin},
      {"islip", Allocator::islip},
      {"wavefront", Allocator::wavefront},
      {"matrix", Allocator::matrix},
  }};
  return words;
}

const Enumeration<Separable>& separable_words() {
  static const Enumeration<Separable> words{
      {{"input_first", Separable::input_first}, {"output_first", Separable::output_first}}};
  return words;
}

const Enumeration<Routing>& routing_words() {
  static const Enumeration<Routing> words{{
      {"destination_table", Routing::destination_table},
      {"address", Routing::address},
      {"source", Routing::source},
      {"dimension_order", Routing::dimension_order},
      {"west_first", Routing::west_first},
      {"odd_even", Routing::odd_even},
      {"up_down", Routing::up_down},
  }};
  return words;
}

const Enumeration<FlowControl>& flow_control_words() {
  static const Enumeration<FlowControl> words{
      {{"credit", FlowControl::credit}, {"ready_valid", FlowControl::ready_valid}}};
  return words;
}

const Enumeration<VcAllocation>& vc_allocation_words() {
  static const Enumeration<VcAllocation> words{
      {{"keep", VcAllocation::keep}, {"any", VcAllocation::any}}};
  return words;
}

const Enumeration<ClassPriority>& class_priority_words() {
  static const Enumeration<ClassPriority> words{
      {{"strict", ClassPriority::strict}, {"weighted", ClassPriority::weighted}}};
  return words;
}

const Enumeration<int>& pipeline_words() {
  static const Enumeration<int> words{{{"single_cycle", 1}, {"2", 2}, {"3", 3}, {"4", 4}}};
  return words;
}

std::uint64_t draw_below(std::uint64_t bound, std::mt19937_64& random) {
  return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random);
}

std::size_t ports_of(const Switch& design) { return static_cast<std::size_t>(design.ports); }

constexpr std::uint64_t greatest_weight = 255;

IntegerList equal_weights(const Switch& design) {
  IntegerList weights;
  weights.assign(static_cast<std::size_t>(design.traffic_classes), 1);
  return weights;
}

IntegerList draw_weights(const Switch& design, std::mt19937_64& random) {
  IntegerList weights = equal_weights(design);
  // Small weights differ most in what they do.
  constexpr std::uint64_t greatest_drawn = 8;
  for (std::uint64_t& weight : weights) weight = 1 + draw_below(greatest_drawn, random);
  return weights;
}

int enough_destinations(const Switch& design) {
  if (design.routing != Routing::up_down) return design.ports;
  return std::max(design.ports, design.first_destination + destinations_below(design));
}

IntegerList routes_in_turn(const Switch& design) {
  if (design.routing != Routing::destination_table) return {};
  IntegerList routes(static_cast<std::size_t>(design.destinations));
  for (std::size_t d = 0; d < routes.size(); ++d) routes[d] = d % ports_of(design);
  return routes;
}

IntegerList draw_routes(const Switch& design, std::mt19937_64& random) {
  IntegerList routes = routes_in_turn(design);
  for (std::uint64_t& port : routes) port = draw_below(ports_of(design), random);
  return routes;
}

/// Bases of equal parts; the first ones are one address longer if they do not divide evenly.
IntegerList equal_bases(const Switch& design) {
  if (design.routing != Routing::address) return {};
  const std::uint64_t ports = ports_of(design);
  const std::uint64_t last = last_address(design);
  const std::uint64_t longer = (last % ports + 1) % ports;
  const std::uint64_t length = last / ports + (last % ports + 1) / ports;
  IntegerList bases(ports);
  for (std::uint64_t port = 0; port < ports; ++port) {
    bases[port] = port * length + std::min(port, longer);
  }
  return bases;
}

/// Different addresses, 0 among them, in any order, if there are enough.
IntegerList draw_bases(const Switch& design, std::mt19937_64& random) {
  if (design.routing != Routing::address || last_address(design) < ports_of(design)) {
    return equal_bases(design);
  }
  std::set<std::uint64_t> cuts{0};
  std::uniform_int_distribution<std::uint64_t> any(0, last_address(design));
  while (cuts.size() < ports_of(design)) cuts.insert(any(random));
  IntegerList bases(cuts.begin(), cuts.end());
  std::ranges::shuffle(bases, random);
  return bases;
}

/// Each port's range ends where the next begins.
IntegerList limits_up_to_next_base(const Switch& design) {
  if (design.routing != Routing::address) return {};
  const std::set<std::uint64_t> bases(design.address_bases.begin(), design.address_bases.end());
  IntegerList limits;
  for (const std::uint64_t base : design.address_bases) {
    const auto next = bases.upper_bound(base);
    limits.push_back(next == bases.end() ? last_address(design) : *next - 1);
  }
  return limits;
}

}  // namespace

std::string to_string(Organisation organisation) { return organisation_words().word(organisation); }
std::string to_string(Switching switching) { return switching_words().word(switching); }
std::string to_string(Allocator allocator) { return allocator_words().word(allocator); }
std::string to_string(Separable separable) { return separable_words().word(separable); }
std::string to_string(Routing routing) { return routing_words().word(routing); }
std::string to_string(FlowControl flow_control) { return flow_control_words().word(flow_control); }
std::string to_string(VcAllocation vc_allocation) {
  return vc_allocation_words().word(vc_allocation);
}
std::string to_string(ClassPriority class_priority) {
  return class_priority_words().word(class_priority);
}

std::uint64_t last_address(const Switch& design) {
  return ~std::uint64_t{0} >> (64 - design.address_width);
}

template <>
const Declaration<Switch>& declaration() {
  using T = Switch;
  static const auto declared = [] {
    Declaration<T> d("switch",
                     "A packet switch of many ports: queues, an allocator and a crossbar.");
    d.add(&T::name, Identifier{},
          {"name", "", "Name of the top module; the other modules' names begin with it.", true});
    d.add(&T::ports, IntRange{2, most_ports},
          {"ports", "ports", "Inputs, and as many outputs (the radix)."});
    d.add(&T::flit_width, IntRange{16, 1024},
          {"flit_width", "bits", "Width of a flit; a head flit begins with the header."});
    d.add(&T::organisation, organisation_words(),
          {"organisation", "", "Where flits wait, and for what."});
    d.add(&T::buffer_depth, IntRange{1, 4096},
          {"buffer_depth", "flits", "Places of each queue; in a central_buffer of each pool."});
    d.add(&T::max_packet_flits, IntRange{1, 4096},
          {"max_packet_flits", "flits", "Longest packet that is sent through the switch."});
    d.add(&T::switching, switching_words(),
          {"switching", "", "What a packet waits for before its head leaves."});
    d.add(&T::flow_control, flow_control_words(),
          {"flow_control", "", "How the next hop holds flits back."});
    d.add(&T::virtual_channels, IntRange{1, 16},
          {"virtual_channels", "VCs", "Virtual channels of each port."});
    d.add(&T::vc_allocation, vc_allocation_words(),
          {"vc_allocation", "",
           "keep: a packet leaves in the VC that it came in; any: in one of "
           "its class."});
    d.add(&T::credits, IntRange{1, 4096},
          {"credits", "flits", "Places that the next hop has for each VC of an output."},
          {[](const T& design) { return design.buffer_depth; }, "buffer_depth"});
    d.add(&T::link_latency, IntRange{0, 1000},
          {"link_latency", "cycles", "From an output to the next hop's input, and back."});
    d.add(&T::traffic_classes, IntRange{1, 4},
          {"traffic_classes", "classes", "Classes of traffic, each with VCs of its own."});
    d.add(&T::class_priority, class_priority_words(),
          {"class_priority", "", "Which class an output serves first."});
    d.add(&T::class_weights, IntList{1, greatest_weight},
          {"class_weights", "flits", "Flits that each class may send in its turn, if weighted."},
          {equal_weights, "a 1 for every class", draw_weights});
    d.add(&T::allocator, allocator_words(),
          {"allocator", "", "How inputs and outputs are matched in each cycle."});
    d.add(&T::separable, separable_words(),
          {"separable", "", "The side of a round_robin allocator that chooses first."});
    d.add(&T::islip_iterations, IntRange{1, 4},
          {"islip_iterations", "iterations", "Iterations of an islip allocator in a cycle."});
    d.add(&T::pipeline, pipeline_words(), {"pipeline", "", "Stages of the switch."});
    d.add(&T::speculative_allocation,
          {"speculative_allocation", "", "Heads ask for the crossbar before they know of a VC."});
    d.add(&T::lookahead_routing, {"lookahead_routing", "",
                                  "The header names the output; the next one is looked up here."});
    d.add(&T::clock_gating, {"clock_gating", "",
                             "Each word of the queues has a clock of its own, not an enable a bit: "
                             "less area in ASICs."});
    d.add(&T::routing, routing_words(), {"routing", "", "How the output follows from the header."});
    d.add(&T::up_ports, IntRange{0, most_ports - 1},
          {"up_ports", "ports", "Of up_down: how many of the last ports lead up."});
    d.add(&T::down_destinations, IntRange{1, most_destinations},
          {"down_destinations", "endpoints", "Of up_down: destinations behind each other port."});
    d.add(&T::first_destination, IntRange{0, most_destinations - 1},
          {"first_destination", "endpoint", "Of up_down: the first destination behind port 0."});
    d.add(&T::destinations, IntRange{1, most_destinations},
          {"destinations", "endpoints", "Endpoints that a destination_table or up_down numbers."},
          {enough_destinations, "ports; with up_down at least up to the last destination below"});
    d.add(&T::routes, IntList{0, most_ports - 1},
          {"routes", "ports", "Output port of each destination, from 0 on."},
          {routes_in_turn, "destination modulo ports; [] without destination_table", draw_routes});
    d.add(&T::address_width, IntRange{1, 64},
          {"address_width", "bits", "Width of an address, with routing: address."});
    d.add(&T::address_bases, IntList{0, ~std::uint64_t{0}},
          {"address_bases", "addresses", "First address of each port."},
          {equal_bases, "equal parts of the 2^address_width addresses; [] without routing: address",
           draw_bases});
    d.add(&T::address_limits, IntList{0, ~std::uint64_t{0}},
          {"address_limits", "addresses",
           "Last address of each port; below its base: the port has none."},
          {limits_up_to_next_base,
           "the address before the next base, or the last one; [] without routing: address"});
    d.add(&T::max_hops, IntRange{1, 64},
          {"max_hops", "switches", "Switches that a packet of source routing can pass."});
    d.add(&T::mesh_columns, IntRange{1, 256},
          {"mesh_columns", "switches", "Switches in a row of the mesh (x)."});
    d.add(&T::mesh_rows, IntRange{1, 256},
          {"mesh_rows", "switches", "Switches in a column of the mesh (y)."});
    d.add(&T::multicast,
          {"multicast", "", "Packets may ask for several outputs; the switch replicates them."});
    d.add(&T::in_network_reduction,
          {"in_network_reduction", "",
           "Packets of several inputs may be combined; the result goes to all of them."});
    add_rules(d);
    return d;
  }();
  return declared;
}

Switch resolved(const Switch& design) {
  // What is not automatic has values of its own; what is lacks them where it is 0 or empty.
  const auto& declared = declaration<Switch>();
  Values values = declared.values(design);
  for (const Parameter& parameter : declared.kind().parameters) {
    if (parameter.automatic.empty()) continue;
    Value& value = values.at(parameter.name);
    if (value == Value(std::int64_t{0}) || value == Value(IntegerList{})) value = automatic_word;
  }
  return declared.build(values);
}

Switch random_switch(std::mt19937_64& random, const Narrowed& narrowed) {
  const auto& declared = declaration<Switch>();
  return declared.build(random_values(declared.kind(), random, narrowed));
}

}  // namespace weft::arch
