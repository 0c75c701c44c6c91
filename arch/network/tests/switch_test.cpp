// SPDX-License-Identifier: Apache-2.0
#include "arch/network/switch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "arch/config.h"
#include "arch/network/header.h"
#include "arch/network/switch_timing.h"
#include "base/error.h"

namespace weft::arch {
namespace {

/// What the reader says about a switch with these lines, which begin in line 3; empty if it is
/// legal.
std::string errors(const std::string& lines) {
  try {
    (void)parse_config("kind: switch\nname: s\n" + lines + "\n", "f");
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

Switch read(const std::string& lines) {
  return std::get<Switch>(parse_config("kind: switch\nname: s\n" + lines + "\n", "f").design);
}

TEST(SwitchDeclaration, SaysEverythingOnce) {
  std::set<std::string> names;
  const Kind& kind = declaration<Switch>().kind();
  for (const Parameter& parameter : kind.parameters) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
    EXPECT_TRUE(parameter.doc.ends_with('.')) << parameter.name;
    const bool of_words = std::holds_alternative<Choice>(parameter.domain) ||
                          std::holds_alternative<Identifier>(parameter.domain) ||
                          std::holds_alternative<Boolean>(parameter.domain);
    EXPECT_EQ(parameter.unit.empty(), of_words) << parameter.name;
    EXPECT_TRUE(!parameter.default_value || parameter.accepts(*parameter.default_value));
  }
  for (const Rule& rule : kind.rules) EXPECT_TRUE(rule.doc.ends_with('.')) << rule.doc;
  for (const Check& check : kind.checks) {
    EXPECT_TRUE(check.doc.ends_with('.')) << check.doc;
    for (const std::string& name : check.parameters) EXPECT_NE(kind.find(name), nullptr) << name;
  }
}

TEST(SwitchDeclaration, CoversEveryMember) {
  const Switch all;
  // Stops compiling when the number of members changes: then declare the new one, and add it here.
  const auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0,
               c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5] = all;
  const auto size = [](const auto&... members) { return sizeof...(members); };
  EXPECT_EQ(declaration<Switch>().kind().parameters.size(),
            1 + size(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9,
                     c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5));  // 1: kind
}

TEST(SwitchDeclaration, BuildsEveryMember) {
  // A member that is tied to the wrong parameter would come back changed.
  Switch s{"x",
           7,
           48,
           Organisation::input_queued,
           9,
           5,
           Switching::virtual_cut_through,
           FlowControl::credit,
           4,
           VcAllocation::any,
           11,
           3,
           2,
           ClassPriority::weighted,
           {3, 4},
           Allocator::round_robin,
           Separable::output_first,
           3,
           4,
           true,
           true,
           false,
           Routing::destination_table,
           3,
           {6, 0, 5},
           20,
           {},
           {},
           2,
           3,
           5,
           1,
           2,
           1,
           false,
           false};
  const auto& declared = declaration<Switch>();
  EXPECT_EQ(declared.build(declared.values(s)), s);
  EXPECT_EQ(parse_config(canonical_form(config_of(s)), "f"), config_of(s));
  s.routing = Routing::address;
  s.routes.clear();
  s.address_bases = {0, 1, 2, 3, 4, 5, 6};
  s.address_limits = {0, 1, 2, 3, 4, 5, 1 << 20};
  s.multicast = s.in_network_reduction = s.clock_gating = true;
  EXPECT_EQ(declared.build(declared.values(s)), s);
}

TEST(SwitchReader, ReadsTheWordsAndLists) {
  const Switch s = read(
      "ports: 4\npipeline: 3\nmulticast: True\nroutes: [3, 2, 1, 0]\nclass_weights: [2]\n"
      "organisation: input_queued");
  EXPECT_EQ(s.pipeline, 3);
  EXPECT_TRUE(s.multicast);
  EXPECT_FALSE(s.in_network_reduction);
  EXPECT_EQ(s.routes, (std::vector<int>{3, 2, 1, 0}));
  EXPECT_EQ(s.class_weights, std::vector<int>{2});
  EXPECT_EQ(read("pipeline: \"2\"").pipeline, 2);
  EXPECT_EQ(read("pipeline: single_cycle").pipeline, 1);
}

TEST(SwitchReader, FillsInWhatIsAutomatic) {
  const Switch s = read(
      "ports: 3\nrouting: address\naddress_width: 4\ntraffic_classes: 2\n"
      "virtual_channels: 4\nbuffer_depth: 5");
  EXPECT_EQ(s.credits, 5);
  EXPECT_EQ(s.destinations, 3);
  EXPECT_EQ(s.class_weights, (std::vector<int>{1, 1}));
  EXPECT_EQ(s.address_bases, (std::vector<std::uint64_t>{0, 6, 11}));
  EXPECT_EQ(s.address_limits, (std::vector<std::uint64_t>{5, 10, 15}));
  EXPECT_TRUE(s.routes.empty());
  EXPECT_EQ(read("ports: 3\ndestinations: 5").routes, (std::vector<int>{0, 1, 2, 0, 1}));
  // In any order, limits follow the bases.
  EXPECT_EQ(
      read("ports: 3\nrouting: address\naddress_width: 4\naddress_bases: [8, 0, 3]").address_limits,
      (std::vector<std::uint64_t>{15, 2, 7}));
}

TEST(SwitchResolved, IsWhatTheReaderGives) {
  Switch s;
  s.name = "s";
  s.ports = 9;
  EXPECT_EQ(resolved(s), read("ports: 9"));
  s.routing = Routing::address;
  s.credits = 3;
  EXPECT_EQ(resolved(s), read("ports: 9\nrouting: address\ncredits: 3"));
  EXPECT_EQ(resolved(resolved(s)), resolved(s));
}

TEST(SwitchRules, SayWhatDoesNotGoTogether) {
  EXPECT_EQ(errors("organisation: crossbar\nvirtual_channels: 2\npipeline: 3\nmulticast: true"),
            "f:3:15: flow_control: credit does not go with organisation: crossbar; give "
            "ready_valid\n"
            "f:3:15: organisation: crossbar does not go with multicast: true; give "
            "virtual_output_queued | input_queued\n"
            "f:4:19: virtual_channels: 2 does not go with organisation: crossbar; give 1\n"
            "f:5:11: pipeline: 3 does not go with organisation: crossbar; give single_cycle | 2");
  EXPECT_EQ(errors("flow_control: ready_valid\nswitching: virtual_cut_through"),
            "f:4:12: switching: virtual_cut_through does not go with flow_control: ready_valid; "
            "give wormhole | store_and_forward");
  EXPECT_EQ(errors("organisation: output_queued"),
            "f:3:15: allocator: islip does not go with organisation: output_queued; give "
            "round_robin | matrix");
  EXPECT_EQ(errors("traffic_classes: 3\nvirtual_channels: 4"),
            "f:4:19: virtual_channels: 4 does not go with traffic_classes: 3; give 3 | 6 | 9 | 12 "
            "| 15");
  EXPECT_EQ(errors("routing: odd_even\norganisation: input_queued\nports: 4"),
            "f:5:8: ports: 4 does not go with routing: odd_even; give 5..128");
  EXPECT_EQ(errors("routing: west_first"),
            "f:3:10: organisation: virtual_output_queued does not go with routing: west_first; "
            "give input_queued | central_buffer");
  EXPECT_EQ(errors("lookahead_routing: true\nrouting: source"),
            "f:4:10: routing: source does not go with lookahead_routing: true; give "
            "destination_table");
  EXPECT_EQ(errors("in_network_reduction: true\nflit_width: 72").substr(0, 76),
            "f:4:13: flit_width: 72 does not go with in_network_reduction: true; give 32 ");
  EXPECT_EQ(errors("multicast: true\nvc_allocation: any"),
            "f:4:16: vc_allocation: any does not go with multicast: true; give keep");
  EXPECT_EQ(errors("speculative_allocation: true\norganisation: central_buffer\n"
                   "allocator: matrix"),
            "f:4:15: organisation: central_buffer does not go with speculative_allocation: true; "
            "give virtual_output_queued | input_queued");
}

TEST(SwitchChecks, SayWhatWasFoundAndWhatIsLegal) {
  EXPECT_EQ(errors("switching: virtual_cut_through\nmax_packet_flits: 9\nbuffer_depth: 8"),
            "f:4:19: max_packet_flits: 9 flits do not fit into a queue of buffer_depth 8, as "
            "virtual_cut_through needs; give at most 8, or a greater buffer_depth");
  EXPECT_EQ(errors("max_packet_flits: 9\nbuffer_depth: 8"), "");
  EXPECT_EQ(errors("ports: 32\nmulticast: true\nflit_width: 34"),
            "f:5:13: flit_width: 34 bits do not hold the header, which has 35; give at least that");
  EXPECT_EQ(errors("ports: 32\nmulticast: true\nflit_width: 35"), "");
  EXPECT_EQ(errors("routing: source\nmax_hops: 17\nflit_width: 128"),
            "f:4:11: max_hops: 17 hops of 4 bits are more than the 64 bits of a route; give at "
            "most 16");
  EXPECT_EQ(errors("routing: up_down\nup_ports: 16"),
            "f:4:11: up_ports: 16 are all of the 16 ports; give at most 15");
  EXPECT_EQ(errors("routing: up_down\nup_ports: 4\nfirst_destination: 10"), "");
  EXPECT_EQ(errors("routing: up_down\nup_ports: 4\nfirst_destination: 10\ndestinations: 16"),
            "f:6:15: destinations: the destinations below, 10..21, are not all within 0..15; give "
            "at least 22, or fewer down_destinations");
  EXPECT_EQ(errors("routing: up_down\ndestinations: 20"),
            "f:4:15: destinations: of 20 only 0..15 can be reached, as no port leads up; give 16, "
            "or up_ports");
}

TEST(SwitchChecks, FindWrongLists) {
  EXPECT_EQ(errors("traffic_classes: 2\nvirtual_channels: 2\nclass_weights: [1, 2, 3]"),
            "f:5:16: class_weights: 3 entries; traffic_classes is 2: give as many");
  EXPECT_EQ(errors("routes: [0, 1]"), "f:3:9: routes: 2 entries; destinations is 16: give as many");
  EXPECT_EQ(errors("ports: 4\nroutes: [0, 1, 7, 2]"),
            "f:4:9: routes: destination 2 leads to port 7, outside 0..3");
  EXPECT_EQ(errors("class_weights: [0]"), "f:3:17: class_weights[0]: 0 is outside 1..255");
  EXPECT_EQ(errors("routing: source\nroutes: [1]"),
            "f:4:9: routes: means nothing with routing: source; leave it out");
  EXPECT_EQ(errors("address_bases: [1]"),
            "f:3:16: address_bases: means nothing with routing: destination_table; leave it out");
}

TEST(SwitchChecks, FindHolesAndOverlapsOfAddresses) {
  const std::string four = "ports: 4\nrouting: address\naddress_width: 8\n";
  const auto with = [&](const std::string& bases, const std::string& limits) {
    return errors(four + "address_bases: [" + bases + "]\naddress_limits: [" + limits + "]");
  };
  EXPECT_EQ(with("0, 64, 128, 192", "63, 127, 191, 255"), "");
  EXPECT_EQ(with("128, 64, 0, 192", "191, 127, 63, 255"), "");
  // The third port has no addresses.
  EXPECT_EQ(with("0, 64, 1, 192", "63, 191, 0, 255"), "");
  EXPECT_EQ(with("0, 64, 128, 192", "63, 126, 191, 255"),
            "f:7:17: address_limits: the addresses 127..127 belong to no port");
  EXPECT_EQ(with("1, 64, 128, 192", "63, 127, 191, 255"),
            "f:7:17: address_limits: the addresses 0..0 belong to no port");
  EXPECT_EQ(with("0, 64, 128, 192", "63, 127, 191, 254"),
            "f:7:17: address_limits: the addresses 255..255 belong to no port");
  EXPECT_EQ(with("192, 64, 128, 0", "255, 128, 191, 63"),
            "f:7:17: address_limits: the ranges of ports 1 (64..128) and 2 (128..191) overlap");
  EXPECT_EQ(with("0, 0, 0, 0", "255, 255, 255, 255"),
            "f:7:17: address_limits: the ranges of ports 0 (0..255) and 1 (0..255) overlap");
  EXPECT_EQ(with("0, 64, 128, 192", "63, 127, 191, 256"),
            "f:7:17: address_limits: port 3 has 192..256, beyond the last address of 8 bits, 255");
  EXPECT_EQ(with("3, 64, 128, 192", "2, 63, 127, 191"),
            "f:7:17: address_limits: the addresses 0..255 belong to no port");
  EXPECT_EQ(with("0, 64, 128", "63, 127, 255"),
            "f:6:16: address_bases: 3 entries; ports is 4: give as many");
  EXPECT_EQ(errors(four + "address_bases: [0, 64, 128, 300]"),
            "f:6:16: address_bases: port 3 begins at 300, beyond the last address of 8 bits, 255");
  EXPECT_EQ(errors("ports: 2\nrouting: address\naddress_width: 64\n"
                   "address_bases: [9223372036854775808, 0]"
                   "\naddress_limits: [18446744073709551615, 9223372036854775807]"),
            "");
}

// What the text of the contract says must hold, in the words of code.
void expect_legal(const Switch& s) {
  if (s.organisation == Organisation::crossbar) {
    EXPECT_TRUE(s.flow_control == FlowControl::ready_valid && s.pipeline <= 2 && !s.collectives());
  }
  if (s.flow_control == FlowControl::ready_valid) {
    EXPECT_EQ(s.virtual_channels, 1);
    EXPECT_NE(s.switching, Switching::virtual_cut_through);
  }
  EXPECT_EQ(s.virtual_channels % s.traffic_classes, 0);
  EXPECT_EQ(static_cast<int>(s.class_weights.size()), s.traffic_classes);
  const bool at_outputs = s.organisation == Organisation::output_queued ||
                          s.organisation == Organisation::central_buffer;
  EXPECT_FALSE(at_outputs &&
               (s.speculative_allocation || s.collectives() || s.allocator == Allocator::islip ||
                s.allocator == Allocator::wavefront));
  EXPECT_FALSE(s.mesh() && s.ports < 5);
  if (s.adaptive() || s.collectives()) {
    EXPECT_EQ(s.vc_allocation, VcAllocation::keep);
    EXPECT_EQ(s.flow_control, FlowControl::credit);
  }
  if (s.clock_gating) EXPECT_EQ(SwitchTiming(s).input_stages, 1);
  if (s.collectives()) EXPECT_EQ(s.switching, Switching::wormhole);
  if (s.in_network_reduction) EXPECT_EQ(s.flit_width % 32, 0);
  if (s.switching != Switching::wormhole) EXPECT_LE(s.max_packet_flits, s.buffer_depth);
  EXPECT_LE(HeaderLayout(s).bits, s.flit_width);
  if (s.routing == Routing::destination_table) {
    EXPECT_EQ(static_cast<int>(s.routes.size()), s.destinations);
    for (const int port : s.routes) EXPECT_LT(port, s.ports);
  }
}

TEST(RandomSwitch, IsLegalAndNothingIsRare) {
  constexpr std::uint64_t seed = 3;
  constexpr int draws = 3000;
  std::mt19937_64 random(seed);
  std::map<std::string, std::map<std::string, int>> seen;
  int explicit_routes = 0;
  int explicit_ranges = 0;
  for (int i = 0; i < draws; ++i) {
    const Switch s = random_switch(random);
    expect_legal(s);
    const Config config = config_of(s);
    ASSERT_EQ(parse_config(canonical_form(config), "canonical"), config) << canonical_form(config);
    for (const auto& [name, value] : values_of(config)) {
      if (std::holds_alternative<std::string>(value) || std::holds_alternative<bool>(value)) {
        ++seen[name][to_text(value)];
      }
    }
    Switch automatic = s;
    automatic.routes.clear();
    automatic.address_bases.clear();
    automatic.address_limits.clear();
    const Switch again = resolved(automatic);
    explicit_routes += again.routes != s.routes ? 1 : 0;
    explicit_ranges += again.address_bases != s.address_bases ? 1 : 0;
  }
  for (const Parameter& parameter : declaration<Switch>().kind().parameters) {
    std::vector<std::string> words;
    if (const auto* choice = std::get_if<Choice>(&parameter.domain)) words = choice->names;
    if (std::holds_alternative<Boolean>(parameter.domain)) words = {"false", "true"};
    for (const std::string& word : words) {
      EXPECT_GT(seen[parameter.name][word], draws / 150) << parameter.name << ": " << word;
    }
  }
  EXPECT_GT(explicit_routes, draws / 10);
  EXPECT_GT(explicit_ranges, draws / 50);
}

TEST(RandomSwitch, StaysInNarrowedDomains) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 200; ++i) {
    const Switch s = random_switch(
        random, {{"ports", IntRange{2, 7}}, {"organisation", Choice{{"crossbar"}, {}}}});
    EXPECT_LE(s.ports, 7);
    EXPECT_EQ(s.organisation, Organisation::crossbar);
  }
  EXPECT_THROW((void)random_switch(random, {{"organisation", Choice{{"crossbar"}, {}}},
                                            {"flow_control", Choice{{"credit"}, {}}}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace weft::arch
