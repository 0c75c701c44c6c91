// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/route.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "arch/network/header.h"
#include "rtl_gen/switch/route_parts.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc route_doc(const arch::Switch& device) {
  ModuleDoc doc;
  doc.summary = "the output that a head flit takes, by " + to_string(device.routing) + ".";
  if (device.lookahead_routing) {
    doc.description =
        "The switch before has chosen the output here; this one looks up the output at the next.";
  }
  if (device.collectives()) {
    doc.description = "A packet for several outputs has none here: the collective unit sends it.";
  }
  doc.latency = "combinational.";
  return doc;
}

/// Whether destination d is behind port d.
bool identical(const arch::Switch& device) {
  std::vector<int> numbers(static_cast<std::size_t>(device.ports));
  std::iota(numbers.begin(), numbers.end(), 0);
  return device.routes == numbers;
}

/// Whether the module works with another PORTS than the configuration's.
bool any_number_of_ports(const arch::Switch& device) {
  return device.routing == arch::Routing::source ||
         (device.routing == arch::Routing::destination_table && identical(device));
}

/// The port that the table gives to the destination of the head.
Expr look_up(const RouteModule& route, const Expr& port_width) {
  Module& m = route.m;
  const arch::Switch& device = route.device;
  if (identical(device)) {
    return m.let("destination", route.flit.part(route.offset, port_width), "is its port's number");
  }
  const int width = arch::HeaderLayout(device).route_width;
  const Expr destination = route.field("destination", 0, width).signal;
  m.comment("Bit k of the output port of each destination, destination 0 lowest.");
  std::vector<Expr> port;
  for (int k = 0; k < arch::index_width(device.ports); ++k) {
    std::vector<bool> bits(std::size_t{1} << width);
    for (std::size_t d = 0; d < device.routes.size(); ++d) {
      bits[d] = (device.routes[d] >> k & 1) != 0;
    }
    const Expr table = m.constant(fmt::format("ROUTES_{}", k), 1 << width, constant_bits(bits));
    port.insert(port.begin(), table.at(destination));
  }
  return m.let("routed", cat(port), "its port");
}

/// Drives the output whose number is `port`.
void decode(const RouteModule& route, const Expr& port) {
  route.m.generate_for("p", 0, route.ports, "port", [&](Scope& s, const Expr& p) {
    s.assign(route.output.at(p), port == fit(p, width_of(port)));
  });
}

/// A part of the header that leaves with another value.
struct Rewriting {
  Expr offset, width, value;
};

/// Drives the outputs of routing by table or source, whose headers hold ports' numbers.
std::optional<Rewriting> route_by_number(const RouteModule& route, const Expr& port_width) {
  Module& m = route.m;
  if (route.device.routing == arch::Routing::source) {
    const Expr hops = m.localparam("MAX_HOPS", route.device.max_hops, "ports in a header");
    const Expr list = m.let("list", route.flit.part(route.offset, hops * port_width),
                            "the ports to take, this switch's lowest");
    decode(route, trunc(list, port_width));
    return Rewriting{route.offset, hops * port_width, list >> port_width};
  }
  const Expr routed = look_up(route, port_width);
  if (!route.device.lookahead_routing) {
    decode(route, routed);
    return {};
  }
  decode(route, m.let("next", route.flit.part(0, port_width), "the output here"));
  return Rewriting{0, port_width, routed};
}

std::string preference_note(const arch::Switch& device) {
  return std::string(
             "which output has at least as many credits: [0] east, not north; [1] east, "
             "not south") +
         (device.routing == arch::Routing::odd_even ? "; [2], [3] west" : "");
}

}  // namespace

bool rewrites_header(const arch::Switch& device) {
  return device.routing == arch::Routing::source || device.lookahead_routing;
}

int preferences(const arch::Switch& device) {
  if (!device.adaptive()) return 0;
  return device.routing == arch::Routing::odd_even ? 4 : 2;
}

int x_width(const arch::Switch& device) { return std::max(1, arch::MeshWidths(device).x); }
int y_width(const arch::Switch& device) { return std::max(1, arch::MeshWidths(device).y); }

const Module& add_route(Design& design, const arch::Switch& device) {
  const bool by_number =
      device.routing == arch::Routing::destination_table || device.routing == arch::Routing::source;
  Module& m = design.add_module(device.name + "_route", route_doc(device));
  const Expr ports = m.parameter("PORTS", device.ports, "ports of the switch");
  const Expr flit_width = m.parameter("FLIT_WIDTH", device.flit_width, "bits of a flit");

  const Expr flit = m.input("flit_i", flit_width, "the low bits of a head are its header");
  std::optional<Expr> head;
  std::optional<MeshInputs> mesh;
  if (rewrites_header(device)) head = m.input("head_i", 1, "it is a head");
  if (device.mesh()) {
    const Expr x = m.input("x_i", x_width(device), "where the switch is");
    const Expr y = m.input("y_i", y_width(device));
    mesh = MeshInputs{x, y, {}, {}};
  }
  if (device.routing == arch::Routing::odd_even) {
    mesh->from_west = m.input("from_west_i", 1, "it enters by the west port");
  }
  if (device.adaptive()) {
    mesh->prefer = m.input("prefer_i", preferences(device), preference_note(device));
  }
  m.port_group();
  const Expr output =
      m.output("output_o", ports,
               device.collectives() ? "one-hot; none for a collective packet" : "one-hot");
  std::optional<Expr> flit_o;
  if (head) flit_o = m.output_reg("flit_o", flit_width, "as it leaves the switch");

  if (!any_number_of_ports(device)) {
    m.require(ports == device.ports, fmt::format("PORTS_must_be_{}", device.ports));
  }
  const arch::HeaderLayout layout(device);
  const bool numbers = rewrites_header(device) || any_number_of_ports(device);
  const Expr port_width = numbers ? m.localparam("PORT_WIDTH", clog2(ports)) : Expr(0);
  const Expr offset = device.lookahead_routing ? port_width : Expr(layout.route_offset);
  std::optional<Expr> unicast, taken;
  if (device.collectives()) {
    unicast = m.let("unicast", trunc(flit, layout.op_width) == 0);
    taken = m.wire("taken", ports, "the output of a unicast head");
    m.assign(output, rep(ports, *unicast) & *taken);
  }
  const RouteModule route{m, device, ports, flit, offset, taken ? *taken : output};
  std::optional<Rewriting> rewriting;
  if (by_number) {
    rewriting = route_by_number(route, port_width);
  } else if (device.routing == arch::Routing::address) {
    route_by_address(route);
  } else if (device.routing == arch::Routing::up_down) {
    route_up_or_down(route);
  } else {
    route_in_mesh(route, *mesh);
  }
  if (rewriting) {
    m.always_comb({set(*flit_o, flit),
                   If(unicast ? *head & *unicast : *head,
                      {set(flit_o->part(rewriting->offset, rewriting->width), rewriting->value)})});
  }
  m.unused("unused_payload", {flit}, "what lies above the header");
  m.finish();
  return m;
}

}  // namespace weft::rtl
