// SPDX-License-Identifier: Apache-2.0
#include "arch/network/header.h"

#include <algorithm>
#include <bit>

namespace weft::arch {
namespace {

constexpr std::size_t word_bits = 64;

std::uint64_t ones(int width) { return width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width); }

/// Bits offset .. offset + width - 1 of the flit; at most 64.
std::uint64_t get_bits(std::span<const std::uint64_t> flit, int offset, int width) {
  if (width == 0) return 0;
  const std::size_t word = static_cast<std::size_t>(offset) / word_bits;
  const std::size_t shift = static_cast<std::size_t>(offset) % word_bits;
  std::uint64_t bits = flit[word] >> shift;
  if (shift + static_cast<std::size_t>(width) > word_bits) {
    bits |= flit[word + 1] << (word_bits - shift);
  }
  return bits & ones(width);
}

void put_bits(std::span<std::uint64_t> flit, int offset, int width, std::uint64_t bits) {
  if (width == 0) return;
  const std::size_t word = static_cast<std::size_t>(offset) / word_bits;
  const std::size_t shift = static_cast<std::size_t>(offset) % word_bits;
  bits &= ones(width);
  flit[word] = (flit[word] & ~(ones(width) << shift)) | (bits << shift);
  if (shift + static_cast<std::size_t>(width) > word_bits) {
    const std::size_t taken = word_bits - shift;
    flit[word + 1] = (flit[word + 1] & ~(ones(width) >> taken)) | (bits >> taken);
  }
}

}  // namespace

int index_width(int size) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(size - 1)));
}

MeshWidths::MeshWidths(const Switch& design)
    : x(index_width(design.mesh_columns)),
      y(index_width(design.mesh_rows)),
      local(index_width(local_ports(design))) {}

HeaderLayout::HeaderLayout(const Switch& design) {
  const bool collectives = design.collectives();
  next_width = design.lookahead_routing ? index_width(design.ports) : 0;
  op_offset = next_width;
  op_width = collectives ? 3 : 0;
  route_offset = op_offset + op_width;
  switch (design.routing) {
    case Routing::destination_table:
    case Routing::up_down:
      route_width = std::max(1, index_width(design.destinations));
      break;
    case Routing::address:
      route_width = design.address_width;
      break;
    case Routing::source:
      route_width = design.max_hops * index_width(design.ports);
      break;
    case Routing::dimension_order:
    case Routing::west_first:
    case Routing::odd_even: {
      const MeshWidths widths(design);
      route_width = widths.x + widths.y + widths.local;
      break;
    }
  }
  bits = route_offset + std::max(route_width, collectives ? design.ports : 0);
}

Header read_header(const Switch& design, std::span<const std::uint64_t> flit) {
  const HeaderLayout layout(design);
  Header header;
  header.next = static_cast<int>(get_bits(flit, 0, layout.next_width));
  header.op = static_cast<PacketOp>(get_bits(flit, layout.op_offset, layout.op_width));
  if (header.op == PacketOp::unicast) {
    header.route = get_bits(flit, layout.route_offset, layout.route_width);
  } else {
    for (int port = 0; port < design.ports; ++port) {
      header.mask[static_cast<std::size_t>(port)] =
          get_bits(flit, layout.route_offset + port, 1) != 0;
    }
  }
  return header;
}

void write_header(const Switch& design, const Header& header, std::span<std::uint64_t> flit) {
  const HeaderLayout layout(design);
  put_bits(flit, 0, layout.next_width, static_cast<std::uint64_t>(header.next));
  put_bits(flit, layout.op_offset, layout.op_width, static_cast<std::uint64_t>(header.op));
  if (header.op == PacketOp::unicast) {
    put_bits(flit, layout.route_offset, layout.route_width, header.route);
  } else {
    for (int port = 0; port < design.ports; ++port) {
      put_bits(flit, layout.route_offset + port, 1,
               header.mask[static_cast<std::size_t>(port)] ? 1 : 0);
    }
  }
}

}  // namespace weft::arch
