// SPDX-License-Identifier: Apache-2.0
#include "arch/network/switch_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "arch/network/header.h"

namespace weft::arch {
namespace {

Domain word(const std::string& name) { return Choice{{name}, {}}; }
Domain words(std::vector<std::string> names) { return Choice{std::move(names), {}}; }
Domain only(std::int64_t value) { return IntSet{{value}}; }
Domain only(bool value) { return Boolean{{value}}; }

IntSet multiples(std::int64_t of, std::int64_t greatest) {
  IntSet set;
  for (std::int64_t value = of; value <= greatest; value += of) set.values.push_back(value);
  return set;
}

/// What must hold beside each of `causes`.
void restrict(Rule& rule, const std::vector<Condition>& causes,
              const std::vector<Condition>& consequences) {
  for (const Condition& cause : causes) {
    for (const Condition& consequence : consequences) {
      rule.clauses.push_back(
          {{cause},
           consequence,
           fmt::format("does not go with {}: {}; give {}", cause.parameter,
                       legal_text(cause.domain), legal_text(consequence.domain))});
    }
  }
}

Rule rule(const std::string& doc, const std::vector<Condition>& causes,
          const std::vector<Condition>& consequences) {
  Rule result{doc, {}};
  restrict(result, causes, consequences);
  return result;
}

Rule classes_divide_channels() {
  Rule result{"virtual_channels is a multiple of traffic_classes.", {}};
  for (const int classes : {2, 3, 4}) {
    restrict(result, {{"traffic_classes", only(std::int64_t{classes})}},
             {{"virtual_channels", multiples(classes, 16)}});
  }
  return result;
}

/// Rules over finite domains.
std::vector<Rule> rules() {
  const Domain unicast = only(false);
  const Condition multicast{"multicast", only(true)};
  const Condition reduction{"in_network_reduction", only(true)};
  const Domain queued_at_inputs = words({"virtual_output_queued", "input_queued"});
  return {
      rule("A crossbar has no queues: ready_valid, wormhole, one VC, one or two stages.",
           {{"organisation", word("crossbar")}},
           {{"flow_control", word("ready_valid")},
            {"switching", word("wormhole")},
            {"virtual_channels", only(std::int64_t{1})},
            {"pipeline", words({"single_cycle", "2"})}}),
      rule("ready_valid tells neither VCs apart nor how much room there is.",
           {{"flow_control", word("ready_valid")}},
           {{"virtual_channels", only(std::int64_t{1})},
            {"switching", words({"wormhole", "store_and_forward"})}}),
      rule("output_queued and central_buffer need no matching: each output arbitrates alone.",
           {{"organisation", word("output_queued")}, {"organisation", word("central_buffer")}},
           {{"allocator", words({"round_robin", "matrix"})}}),
      classes_divide_channels(),
      rule("Routing in a mesh uses four ports for the neighbours and at least one local port.",
           {{"routing", word("dimension_order")},
            {"routing", word("west_first")},
            {"routing", word("odd_even")}},
           {{"ports", IntRange{5, most_ports}}}),
      rule("A destination_table has at most 4096 entries.",
           {{"routing", word("destination_table")}}, {{"destinations", IntRange{1, 4096}}}),
      rule("Adaptive routing compares credits of a packet's own VC when its head is queued.",
           {{"routing", word("west_first")}, {"routing", word("odd_even")}},
           {{"flow_control", word("credit")},
            {"vc_allocation", word("keep")},
            {"organisation", words({"input_queued", "central_buffer"})}}),
      rule("lookahead_routing looks the next port up in a table, for one destination.",
           {{"lookahead_routing", only(true)}},
           {{"routing", word("destination_table")},
            {"multicast", unicast},
            {"in_network_reduction", unicast}}),
      rule("Collectives send from input queues, in wormhole, with credits, in a packet's own VC.",
           {multicast, reduction},
           {{"organisation", queued_at_inputs},
            {"flow_control", word("credit")},
            {"vc_allocation", word("keep")},
            {"switching", word("wormhole")},
            {"routing",
             words({"destination_table", "address", "source", "dimension_order", "up_down"})}}),
      rule("A reduction combines whole lanes of 32 bits.", {reduction},
           {{"flit_width", multiples(32, 1024)}}),
      rule("speculative_allocation needs queues at the inputs.",
           {{"speculative_allocation", only(true)}}, {{"organisation", queued_at_inputs}}),
      rule("clock_gating needs queues at the inputs, and a register before them.",
           {{"clock_gating", only(true)}},
           {{"organisation", queued_at_inputs},
            {"pipeline", words({"3", "4"})},
            {"lookahead_routing", only(false)}}),
  };
}

std::string objection_to_packets(const Switch& design) {
  if (design.switching == Switching::wormhole || design.max_packet_flits <= design.buffer_depth) {
    return {};
  }
  return fmt::format(
      "{} flits do not fit into a queue of buffer_depth {}, as {} needs; give at most {}, or a "
      "greater buffer_depth",
      design.max_packet_flits, design.buffer_depth, to_string(design.switching),
      design.buffer_depth);
}

std::string objection_to_header(const Switch& design) {
  const HeaderLayout layout(design);
  if (layout.bits <= design.flit_width) return {};
  return fmt::format("{} bits do not hold the header, which has {}; give at least that",
                     design.flit_width, layout.bits);
}

std::string objection_to_hops(const Switch& design) {
  constexpr int widest_route = 64;
  const int port_width = index_width(design.ports);
  if (design.routing != Routing::source || design.max_hops * port_width <= widest_route) return {};
  return fmt::format("{} hops of {} bits are more than the {} bits of a route; give at most {}",
                     design.max_hops, port_width, widest_route, widest_route / port_width);
}

/// Of a list that has another length than `parameter`, which says `expected`.
std::string objection_to_length(std::size_t found, const char* parameter, int expected) {
  if (found == static_cast<std::size_t>(expected)) return {};
  return fmt::format("{} entries; {} is {}: give as many", found, parameter, expected);
}

std::string objection_to_weights(const Switch& design) {
  return objection_to_length(design.class_weights.size(), "traffic_classes",
                             design.traffic_classes);
}

/// Of a list that the routing does not use.
std::string objection_to_unused(const Switch& design, std::size_t entries) {
  if (entries == 0) return {};
  return fmt::format("means nothing with routing: {}; leave it out", to_string(design.routing));
}

std::string objection_to_routes(const Switch& design) {
  if (design.routing != Routing::destination_table) {
    return objection_to_unused(design, design.routes.size());
  }
  const auto wrong =
      std::ranges::find_if(design.routes, [&](int port) { return port >= design.ports; });
  if (wrong != design.routes.end()) {
    return fmt::format("destination {} leads to port {}, outside 0..{}",
                       wrong - design.routes.begin(), *wrong, design.ports - 1);
  }
  return objection_to_length(design.routes.size(), "destinations", design.destinations);
}

/// What is wrong with the ranges of addresses, in the order of their bases.
std::string objection_to_ranges(const Switch& design) {
  const auto& bases = design.address_bases;
  const auto& limits = design.address_limits;
  std::vector<std::size_t> order;
  for (std::size_t port = 0; port < bases.size(); ++port) {
    if (bases[port] <= limits[port]) order.push_back(port);
  }
  std::ranges::sort(order, {}, [&](std::size_t port) { return bases[port]; });
  const std::uint64_t last = last_address(design);
  std::uint64_t next = 0;  // the first address that no range has yet
  const auto hole = [](std::uint64_t from, std::uint64_t to) {
    return fmt::format("the addresses {}..{} belong to no port", from, to);
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t port = order[i];
    if (limits[port] > last) {
      return fmt::format("port {} has {}..{}, beyond the last address of {} bits, {}", port,
                         bases[port], limits[port], design.address_width, last);
    }
    if (i > 0 && bases[port] <= limits[order[i - 1]]) {
      return fmt::format("the ranges of ports {} ({}..{}) and {} ({}..{}) overlap", order[i - 1],
                         bases[order[i - 1]], limits[order[i - 1]], port, bases[port],
                         limits[port]);
    }
    if (bases[port] > next) return hole(next, bases[port] - 1);
    if (limits[port] == last && i + 1 == order.size()) return {};
    next = limits[port] + 1;
  }
  return hole(next, last);
}

std::string objection_to_bases(const Switch& design) {
  if (design.routing != Routing::address) {
    return objection_to_unused(design, design.address_bases.size());
  }
  const std::uint64_t last = last_address(design);
  const auto beyond = std::ranges::find_if(design.address_bases,
                                           [last](std::uint64_t base) { return base > last; });
  if (beyond != design.address_bases.end()) {
    return fmt::format("port {} begins at {}, beyond the last address of {} bits, {}",
                       beyond - design.address_bases.begin(), *beyond, design.address_width, last);
  }
  return objection_to_length(design.address_bases.size(), "ports", design.ports);
}

std::string objection_to_limits(const Switch& design) {
  if (design.routing != Routing::address) {
    return objection_to_unused(design, design.address_limits.size());
  }
  // Limits follow from the bases where they are not given: one mistake, one message.
  if (!objection_to_bases(design).empty()) return {};
  if (design.address_bases.size() != design.address_limits.size()) {
    return objection_to_length(design.address_limits.size(), "ports", design.ports);
  }
  return objection_to_ranges(design);
}

std::string objection_to_up_ports(const Switch& design) {
  if (design.up_ports < design.ports) return {};
  return fmt::format("{} are all of the {} ports; give at most {}", design.up_ports, design.ports,
                     design.ports - 1);
}

std::string objection_to_up_down(const Switch& design) {
  if (design.routing != Routing::up_down || design.up_ports >= design.ports) return {};
  const int below = destinations_below(design);
  if (design.destinations > most_destinations) {
    return fmt::format("{} destinations below, from {} on, are too many; up to {} are legal", below,
                       design.first_destination, most_destinations);
  }
  if (design.first_destination + below > design.destinations) {
    return fmt::format(
        "the destinations below, {}..{}, are not all within 0..{}; give at least {}, or fewer "
        "down_destinations",
        design.first_destination, design.first_destination + below - 1, design.destinations - 1,
        design.first_destination + below);
  }
  if (design.up_ports == 0 && below < design.destinations) {
    return fmt::format(
        "of {} only {}..{} can be reached, as no port leads up; give {}, or up_ports",
        design.destinations, design.first_destination, design.first_destination + below - 1, below);
  }
  return {};
}

}  // namespace

int destinations_below(const Switch& design) {
  return (design.ports - design.up_ports) * design.down_destinations;
}

void add_rules(Declaration<Switch>& declared) {
  for (Rule& each : rules()) declared.add(std::move(each));
  declared.add({"A packet fits into a queue, under virtual_cut_through and store_and_forward.",
                {"max_packet_flits", "buffer_depth", "switching"}},
               objection_to_packets);
  declared.add(
      {"A flit holds the header.",
       {"flit_width", "ports", "routing", "destinations", "address_width", "max_hops",
        "mesh_columns", "mesh_rows", "multicast", "in_network_reduction", "lookahead_routing"}},
      objection_to_header);
  declared.add(
      {"The route of source routing has at most 64 bits.", {"max_hops", "ports", "routing"}},
      objection_to_hops);
  declared.add({"class_weights has an entry for each of traffic_classes.",
                {"class_weights", "traffic_classes"}},
               objection_to_weights);
  declared.add({"routes has a port for each of destinations.",
                {"routes", "destinations", "ports", "routing"}},
               objection_to_routes);
  declared.add({"address_bases has an entry for each port.", {"address_bases", "ports", "routing"}},
               objection_to_bases);
  declared.add({"With address routing each of the 2^address_width addresses belongs to exactly one "
                "port.",
                {"address_limits", "address_bases", "address_width", "ports", "routing"}},
               objection_to_limits);
  declared.add({"At least one port does not lead up.", {"up_ports", "ports"}},
               objection_to_up_ports);
  declared.add(
      {"With up_down routing the destinations below are some of destinations, and all if "
       "no port leads up.",
       {"destinations", "first_destination", "down_destinations", "up_ports", "ports", "routing"}},
      objection_to_up_down);
}

}  // namespace weft::arch
