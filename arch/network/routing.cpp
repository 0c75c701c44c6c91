// SPDX-License-Identifier: Apache-2.0
#include "arch/network/routing.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "base/error.h"

namespace weft::arch {
namespace {

constexpr int no_port = -1;

std::uint64_t low_bits(std::uint64_t value, int width) {
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

/// The ports of a mesh switch that lead to its neighbours.
struct Compass {
  explicit Compass(const Switch& design)
      : east(local_ports(design)), west(east + 1), north(east + 2), south(east + 3) {}

  int east;
  int west;
  int north;
  int south;
};

/// A destination in a mesh.
struct MeshTarget {
  Position position;
  int local = 0;
};

MeshTarget unpack(const Switch& design, std::uint64_t field) {
  const MeshWidths widths(design);
  const auto take = [&field](int width) {
    const auto part = static_cast<int>(low_bits(field, width));
    field >>= width;
    return part;
  };
  MeshTarget target;
  target.position.x = take(widths.x);
  target.position.y = take(widths.y);
  target.local = take(widths.local);
  return target;
}

std::uint64_t pack(const Switch& design, const MeshTarget& target) {
  const MeshWidths widths(design);
  const auto part = [](int value) { return static_cast<std::uint64_t>(value); };
  return part(target.position.x) | part(target.position.y) << widths.x |
         part(target.local) << (widths.x + widths.y);
}

/// The outputs, of which either may be no_port, as a choice.
OutputChoice either(int east_or_west, int north_or_south) {
  if (east_or_west == no_port) return {north_or_south};
  return {east_or_west, north_or_south};
}

OutputChoice mesh_route(const Switch& design, const MeshTarget& target, int input,
                        Position position) {
  const Compass port(design);
  const int e = target.position.x - position.x;
  const int n = target.position.y - position.y;
  if (e == 0 && n == 0) return {target.local};
  const int horizontal = e == 0 ? no_port : e > 0 ? port.east : port.west;
  const int vertical = n == 0 ? no_port : n > 0 ? port.north : port.south;
  // With one productive direction there is nothing to choose in any of the routings.
  if (horizontal == no_port || vertical == no_port) return either(horizontal, vertical);
  if (design.routing == Routing::dimension_order) return {horizontal};
  if (design.routing == Routing::west_first) {
    return e < 0 ? OutputChoice{port.west} : OutputChoice{port.east, vertical};
  }
  const auto is_odd = [](int coordinate) { return coordinate % 2 != 0; };
  if (e < 0) return either(port.west, is_odd(position.x) ? no_port : vertical);
  const bool may_turn = is_odd(position.x) || input != port.west;
  const bool may_go_on = is_odd(target.position.x) || e != 1;
  return either(may_go_on ? port.east : no_port, may_turn ? vertical : no_port);
}

int address_port(const Switch& design, std::uint64_t address) {
  for (std::size_t port = 0; port < design.address_bases.size(); ++port) {
    if (design.address_bases[port] <= address && address <= design.address_limits[port]) {
      return static_cast<int>(port);
    }
  }
  throw UserError(fmt::format("address {} belongs to no port", address));
}

int up_down_port(const Switch& design, int destination) {
  const int down_ports = design.ports - design.up_ports;
  const int below = destination - design.first_destination;
  if (0 <= below && below < down_ports * design.down_destinations) {
    return below / design.down_destinations;
  }
  return down_ports + destination % design.up_ports;
}

/// The target that lies behind the output, in a mesh large enough.
MeshTarget behind(const Switch& design, int output, Position position) {
  const Compass port(design);
  if (output < port.east) return {position, output};
  position.x += output == port.east ? 1 : output == port.west ? -1 : 0;
  position.y += output == port.north ? 1 : output == port.south ? -1 : 0;
  return {position};
}

/// The first destination of a table or of up_down that leads to the output.
std::optional<std::uint64_t> destination_to(const Switch& design, int output) {
  for (int destination = 0; destination < design.destinations; ++destination) {
    Header header;
    header.route = static_cast<std::uint64_t>(destination);
    if (route(design, header, 0).first == output) return header.route;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> find_route_to(const Switch& design, int output, Position position) {
  // The output follows from `next` alone.
  if (design.lookahead_routing) return 0;
  switch (design.routing) {
    case Routing::destination_table:
    case Routing::up_down:
      return destination_to(design, output);
    case Routing::address: {
      const auto port = static_cast<std::size_t>(output);
      if (design.address_bases[port] > design.address_limits[port]) return std::nullopt;
      return design.address_bases[port];
    }
    case Routing::source:
      return static_cast<std::uint64_t>(output);
    case Routing::dimension_order:
    case Routing::west_first:
    case Routing::odd_even:
      break;
  }
  const MeshTarget target = behind(design, output, position);
  const auto [x, y] = target.position;
  if (x < 0 || x >= design.mesh_columns || y < 0 || y >= design.mesh_rows) return std::nullopt;
  return pack(design, target);
}

}  // namespace

OutputChoice route(const Switch& design, const Header& header, int input, Position position) {
  if (design.lookahead_routing) return {header.next};
  switch (design.routing) {
    case Routing::destination_table:
      return {design.routes.at(header.route)};
    case Routing::address:
      return {address_port(design, header.route)};
    case Routing::source:
      return {static_cast<int>(low_bits(header.route, index_width(design.ports)))};
    case Routing::up_down:
      return {up_down_port(design, static_cast<int>(header.route))};
    case Routing::dimension_order:
    case Routing::west_first:
    case Routing::odd_even:
      break;
  }
  return mesh_route(design, unpack(design, header.route), input, position);
}

Header forwarded(const Switch& design, const Header& header) {
  Header result = header;
  if (header.op != PacketOp::unicast) return result;
  if (design.routing == Routing::source) result.route >>= index_width(design.ports);
  if (design.lookahead_routing) result.next = design.routes.at(header.route);
  return result;
}

std::uint64_t route_to(const Switch& design, int output, Position position) {
  if (const auto field = find_route_to(design, output, position)) return *field;
  throw UserError(fmt::format(
      "{}: no route leads to port {}{}", design.name, output,
      design.mesh() ? fmt::format(" at x = {}, y = {}", position.x, position.y) : std::string()));
}

int queues(const Switch& design) {
  const int all = design.ports * design.virtual_channels;
  switch (design.organisation) {
    case Organisation::virtual_output_queued:
      return all + (design.collectives() ? design.virtual_channels : 0);
    case Organisation::output_queued:
      return all;
    case Organisation::input_queued:
    case Organisation::central_buffer:
      break;
    case Organisation::crossbar:
      return 1;
  }
  return design.virtual_channels;
}

int queue_index(const Switch& design, int output, int vc, bool collective) {
  switch (design.organisation) {
    case Organisation::virtual_output_queued:
      return (collective ? design.ports : output) * design.virtual_channels + vc;
    case Organisation::output_queued:
      return output * design.virtual_channels + vc;
    case Organisation::input_queued:
    case Organisation::central_buffer:
    case Organisation::crossbar:
      break;
  }
  return vc;
}

}  // namespace weft::arch
