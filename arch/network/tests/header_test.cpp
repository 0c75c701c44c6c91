// SPDX-License-Identifier: Apache-2.0
#include "arch/network/header.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace weft::arch {
namespace {

/// A flit as one character a bit, bit 0 first: packing done the slow way.
std::string bits_of(const std::vector<std::uint64_t>& flit) {
  std::string bits;
  for (const std::uint64_t word : flit) {
    for (int bit = 0; bit < 64; ++bit) bits += (word >> bit & 1) != 0 ? '1' : '0';
  }
  return bits;
}

std::string field(std::uint64_t value, int width) {
  std::string bits;
  for (int bit = 0; bit < width; ++bit) bits += (value >> bit & 1) != 0 ? '1' : '0';
  return bits;
}

int ceil_log2(int size) {
  int width = 0;
  while ((1 << width) < size) ++width;
  return width;
}

/// docs/switch.md, "Header" and "Routing", of the route field.
int route_bits(const Switch& s) {
  switch (s.routing) {
    case Routing::destination_table:
    case Routing::up_down:
      return s.destinations == 1 ? 1 : ceil_log2(s.destinations);
    case Routing::address:
      return s.address_width;
    case Routing::source:
      return s.max_hops * ceil_log2(s.ports);
    default:
      return ceil_log2(s.mesh_columns) + ceil_log2(s.mesh_rows) + ceil_log2(s.ports - 4);
  }
}

std::uint64_t draw(std::mt19937_64& random, int width) {
  return width == 0 ? 0 : random() >> (64 - width);
}

TEST(Header, LiesInTheLowBitsOfTheFlitAndLeavesTheRest) {
  constexpr std::uint64_t seed = 1;
  std::mt19937_64 random(seed);
  int long_headers = 0;
  for (int i = 0; i < 3000; ++i) {
    const Switch s = random_switch(random, {{"destinations", IntRange{1, 300}}});
    Header header;
    if (s.lookahead_routing) header.next = static_cast<int>(random() % s.ports);
    const bool collective = (s.multicast || s.in_network_reduction) && random() % 2 == 0;
    if (collective) {
      constexpr PacketOp ops[] = {PacketOp::multicast, PacketOp::sum, PacketOp::min, PacketOp::max};
      header.op = ops[random() % 4];
      for (int port = 0; port < s.ports; ++port) header.mask[port] = random() % 2 != 0;
    } else {
      header.route = draw(random, route_bits(s));
    }

    std::string expected;
    if (s.lookahead_routing) expected += field(header.next, ceil_log2(s.ports));
    if (s.multicast || s.in_network_reduction) {
      expected += field(static_cast<std::uint64_t>(header.op), 3);
    }
    const std::size_t before_route = expected.size();
    if (collective) {
      for (int port = 0; port < s.ports; ++port) expected += header.mask[port] ? '1' : '0';
    } else {
      expected += field(header.route, route_bits(s));
    }
    long_headers += expected.size() > 64 ? 1 : 0;

    std::vector<std::uint64_t> flit((s.flit_width + 63) / 64);
    for (std::uint64_t& word : flit) word = random();
    const std::string before = bits_of(flit);
    write_header(s, header, flit);
    ASSERT_EQ(bits_of(flit), expected + before.substr(expected.size())) << "seed " << seed;
    ASSERT_EQ(read_header(s, flit), header) << "seed " << seed;

    const HeaderLayout layout(s);
    ASSERT_EQ(layout.route_offset, static_cast<int>(before_route));
    ASSERT_EQ(layout.route_width, route_bits(s));
    ASSERT_GE(layout.bits, static_cast<int>(expected.size()));
    ASSERT_LE(layout.bits, s.flit_width);
  }
  EXPECT_GT(long_headers, 20);  // masks that cross words
}

TEST(Header, IsAsTheContractSaysIt) {
  Switch s;
  s.ports = 5;
  s.multicast = true;
  s.routing = Routing::source;
  s.max_hops = 4;
  std::vector<std::uint64_t> flit{~std::uint64_t{0}};
  write_header(s, {0, PacketOp::unicast, 0b100'011'010'001, {}}, flit);
  EXPECT_EQ(flit[0], 0xffff'ffff'ffff'8000 | 0b100'011'010'001 << 3);
  write_header(s, {0, PacketOp::multicast, 0, PortSet(0b10101)}, flit);
  EXPECT_EQ(flit[0] & 0xff, 0b10101'001U);
  EXPECT_EQ(HeaderLayout(s).bits, 3 + 12);
  EXPECT_EQ(index_width(1), 0);
  EXPECT_EQ(index_width(2), 1);
  EXPECT_EQ(index_width(5), 3);
}

}  // namespace
}  // namespace weft::arch
