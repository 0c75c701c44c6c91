// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "arch/network/switch.h"

namespace weft::arch {

inline constexpr int most_ports = 128;
using PortSet = std::bitset<most_ports>;

/// What a packet asks of a switch; the values are those of the header's field.
enum class PacketOp { unicast = 0, multicast = 1, sum = 4, min = 5, max = 6 };

/// The fields of a head flit (docs/switch.md, "Header").
struct Header {
  int next = 0;  ///< output port here, with look-ahead routing
  PacketOp op = PacketOp::unicast;
  std::uint64_t route = 0;  ///< destination, address, coordinates or port list, by the routing
  PortSet mask;             ///< outputs or members, for an op other than unicast

  bool operator==(const Header&) const = default;
};

/// clog2: bits that number `size` things, 0 for one.
[[nodiscard]] int index_width(int size);

/// Ports of a mesh switch that lead to no neighbour.
[[nodiscard]] inline int local_ports(const Switch& design) { return design.ports - 4; }

/// Widths of the parts of a mesh's route field, x lowest.
struct MeshWidths {
  explicit MeshWidths(const Switch& design);

  int x = 0;
  int y = 0;
  int local = 0;
};

/// Where the fields lie, in bits from bit 0 of the head flit.
struct HeaderLayout {
  explicit HeaderLayout(const Switch& design);

  int next_width = 0;
  int op_offset = 0;
  int op_width = 0;
  int route_offset = 0;
  int route_width = 0;
  int bits = 0;  ///< of the longest header; the payload of the head flit begins here
};

/// The header of a head flit, whose words are least significant first.
[[nodiscard]] Header read_header(const Switch& design, std::span<const std::uint64_t> flit);

/// Puts the header into a head flit; the other bits stay.
void write_header(const Switch& design, const Header& header, std::span<std::uint64_t> flit);

}  // namespace weft::arch
