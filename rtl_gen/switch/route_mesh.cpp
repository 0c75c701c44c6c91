// SPDX-License-Identifier: Apache-2.0
#include "arch/network/header.h"
#include "rtl_gen/switch/route_parts.h"

namespace weft::rtl {

using namespace hdl;

namespace {

/// Which way the destination lies; in its own row and column none of them is high.
struct Directions {
  Expr east, west, north, south;
  Expr along_x, along_y;
};

/// The dimensions in which the turn model lets the head move.
struct Permitted {
  Expr x, y;
};

/// A coordinate of the destination; of one bit, 0, where the mesh has one column or row.
BitField coordinate(const RouteModule& route, const std::string& name, int low, int width) {
  if (width > 0) return route.field(name, low, width);
  return {bin(1, 0), 1};
}

/// A wire that says whether the destination lies one way along a dimension of more than one place.
Expr direction(Module& m, const std::string& name, int width, const Expr& lies) {
  return m.let(name, width > 0 ? lies : bin(1, 0));
}

Permitted odd_even(Module& m, const Directions& to, const BitField& x,
                   const BitField& destination_x, const Expr& from_west) {
  const Expr next_column = m.let("next_column", destination_x.signal == x.signal + 1);
  const Expr odd = x.bit(0);
  return {to.west | (to.east & (destination_x.bit(0) | ~next_column | ~to.along_y)),
          to.along_y & mux(to.west, ~odd, ~to.east | odd | ~from_west)};
}

void drive_local(const RouteModule& route, const Expr& arrived, const BitField& local) {
  for (int port = 0; port < arch::local_ports(route.device); ++port) {
    route.m.assign(route.output.at(port), arrived & (local.signal == lit(local.width, port)));
  }
}

}  // namespace

void route_in_mesh(const RouteModule& route, const MeshInputs& here) {
  Module& m = route.m;
  const arch::Switch& device = route.device;
  const arch::MeshWidths widths(device);
  const BitField x = coordinate(route, "destination_x", 0, widths.x);
  const BitField y = coordinate(route, "destination_y", widths.x, widths.y);
  const Expr east = direction(m, "east", widths.x, x.signal > here.x);
  const Expr west = direction(m, "west", widths.x, x.signal < here.x);
  const Expr north = direction(m, "north", widths.y, y.signal > here.y);
  const Expr south = direction(m, "south", widths.y, y.signal < here.y);
  const Expr along_x = m.let("along_x", east | west);
  const Expr along_y = m.let("along_y", north | south);
  const Directions to{east, west, north, south, along_x, along_y};
  m.blank();

  Permitted permitted{along_x, along_y & ~along_x};
  if (device.routing == arch::Routing::west_first) permitted = {along_x, along_y & ~west};
  if (device.routing == arch::Routing::odd_even) {
    permitted = odd_even(m, to, {here.x, x.width}, x, *here.from_west);
  }
  Expr go_x = permitted.x;
  Expr go_y = permitted.y;
  if (here.prefer) {
    const Expr& prefer = *here.prefer;
    const Expr y_permitted = m.let("y_permitted", permitted.y);
    Expr prefer_x = mux(north, prefer.at(0), prefer.at(1));
    if (device.routing == arch::Routing::odd_even) {
      prefer_x = mux(east, prefer_x, mux(north, prefer.at(2), prefer.at(3)));
    }
    go_x = m.let("go_x", permitted.x & (~y_permitted | prefer_x));
    go_y = m.let("go_y", y_permitted & ~go_x);
    m.blank();
  }
  const int locals = arch::local_ports(device);
  const Expr arrived = m.let("arrived", ~(along_x | along_y));
  if (locals == 1) {
    m.assign(route.output.at(0), arrived);
  } else {
    drive_local(route, arrived, route.field("local_port", widths.x + widths.y, widths.local));
  }
  m.assign(route.output.at(locals), east & go_x);
  m.assign(route.output.at(locals + 1), west & go_x);
  m.assign(route.output.at(locals + 2), north & go_y);
  m.assign(route.output.at(locals + 3), south & go_y);
  if (widths.x == 0) m.unused("unused_x", {here.x}, "the mesh has one column");
  if (widths.y == 0) m.unused("unused_y", {here.y}, "the mesh has one row");
}

}  // namespace weft::rtl
