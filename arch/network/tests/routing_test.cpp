// SPDX-License-Identifier: Apache-2.0
#include "arch/network/routing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "base/error.h"

namespace weft::arch {
namespace {

Header to(std::uint64_t route) {
  Header header;
  header.route = route;
  return header;
}

/// A mesh of switches, wired here and not by the code under test: local ports, then east, west,
/// north, south.
struct Mesh {
  Switch design;

  Mesh(Routing routing, int columns, int rows, int locals) {
    design.routing = routing;
    design.organisation = Organisation::input_queued;
    design.mesh_columns = columns;
    design.mesh_rows = rows;
    design.ports = locals + 4;
    design = resolved(design);
  }

  enum Way { east, west, north, south };
  [[nodiscard]] int locals() const { return design.ports - 4; }
  [[nodiscard]] int port(Way way) const { return locals() + way; }
  [[nodiscard]] bool inside(Position p) const {
    return p.x >= 0 && p.x < design.mesh_columns && p.y >= 0 && p.y < design.mesh_rows;
  }
  [[nodiscard]] static Position step(Position p, Way way) {
    constexpr int dx[] = {1, -1, 0, 0};
    constexpr int dy[] = {0, 0, 1, -1};
    return {p.x + dx[way], p.y + dy[way]};
  }
  /// The port by which a flit enters that was sent that way.
  [[nodiscard]] int entry(Way way) const {
    constexpr Way opposite[] = {west, east, south, north};
    return port(opposite[way]);
  }
  [[nodiscard]] std::uint64_t address(Position p, int local) const {
    int x_bits = 0;
    int y_bits = 0;
    while (1 << x_bits < design.mesh_columns) ++x_bits;
    while (1 << y_bits < design.mesh_rows) ++y_bits;
    return static_cast<std::uint64_t>(p.x | p.y << x_bits | local << (x_bits + y_bits));
  }
  void for_each(const std::function<void(Position)>& visit) const {
    for (int y = 0; y < design.mesh_rows; ++y) {
      for (int x = 0; x < design.mesh_columns; ++x) visit({x, y});
    }
  }
  [[nodiscard]] int index(Position p) const { return p.y * design.mesh_columns + p.x; }

  /// Hops between any two switches, by breadth-first search over the wires.
  [[nodiscard]] std::map<std::pair<int, int>, int> distances() const {
    std::map<std::pair<int, int>, int> result;
    for_each([&](Position from) {
      std::queue<Position> open;
      open.push(from);
      result[{index(from), index(from)}] = 0;
      while (!open.empty()) {
        const Position p = open.front();
        open.pop();
        for (const Way way : {east, west, north, south}) {
          const Position next = step(p, way);
          if (!inside(next) || result.contains({index(from), index(next)})) continue;
          result[{index(from), index(next)}] = result[{index(from), index(p)}] + 1;
          open.push(next);
        }
      }
    });
    return result;
  }
};

/// A wire between two switches of a mesh.
struct Channel {
  int from;
  Mesh::Way way;
  auto operator<=>(const Channel&) const = default;
};

std::vector<int> outputs(const OutputChoice& choice) {
  std::vector<int> result{choice.first};
  if (choice.second >= 0) result.push_back(choice.second);
  return result;
}

/// Walks every path that the routing permits, to every destination, calls `visit` with each step,
/// and checks that all of them arrive after as few hops as there can be.
void walk(const Mesh& mesh,
          const std::function<void(Channel before, Channel after, Position at)>& visit) {
  const auto distance = mesh.distances();
  mesh.for_each([&](Position target) {
    for (int local = 0; local < mesh.locals(); ++local) {
      const Header header = to(mesh.address(target, local));
      // States: where a flit is, and by which wire it came (way -1: from a local port).
      using State = std::tuple<int, int, int>;
      std::set<State> seen;
      std::vector<State> open;
      mesh.for_each([&](Position source) { open.emplace_back(source.x, source.y, -1); });
      while (!open.empty()) {
        const State state = open.back();
        open.pop_back();
        if (!seen.insert(state).second) continue;
        const auto [x, y, came] = state;
        const Position p{x, y};
        const int input = came < 0 ? 0 : mesh.entry(static_cast<Mesh::Way>(came));
        const OutputChoice choice = route(mesh.design, header, input, p);
        if (p.x == target.x && p.y == target.y) {
          ASSERT_EQ(choice.first, local);
          ASSERT_EQ(choice.second, -1);
          continue;
        }
        if (choice.second >= 0) {
          // East and west come first, north and south second.
          ASSERT_LT(choice.first, mesh.port(Mesh::north));
          ASSERT_GE(choice.second, mesh.port(Mesh::north));
        }
        for (const int output : outputs(choice)) {
          ASSERT_GE(output, mesh.locals());
          const auto way = static_cast<Mesh::Way>(output - mesh.locals());
          const Position next = Mesh::step(p, way);
          ASSERT_TRUE(mesh.inside(next));
          ASSERT_EQ(distance.at({mesh.index(next), mesh.index(target)}) + 1,
                    distance.at({mesh.index(p), mesh.index(target)}));
          if (came >= 0) {
            const Position last = Mesh::step(p, static_cast<Mesh::Way>(came ^ 1));
            visit({mesh.index(last), static_cast<Mesh::Way>(came)}, {mesh.index(p), way}, p);
          }
          open.emplace_back(next.x, next.y, way);
        }
      }
    }
  });
}

/// Whether wires wait for each other in a circle.
bool has_cycle(const std::map<Channel, std::set<Channel>>& dependencies) {
  std::map<Channel, int> state;  // 1: being visited, 2: done
  const std::function<bool(const Channel&)> visit = [&](const Channel& channel) {
    if (state[channel] == 1) return true;
    if (state[channel] == 2) return false;
    state[channel] = 1;
    const auto next = dependencies.find(channel);
    if (next != dependencies.end() && std::ranges::any_of(next->second, visit)) return true;
    state[channel] = 2;
    return false;
  };
  return std::ranges::any_of(dependencies, [&](const auto& entry) { return visit(entry.first); });
}

bool is_vertical(Mesh::Way way) { return way == Mesh::north || way == Mesh::south; }

/// Whether the turn model forbids to turn from `before` into `after` at `at`; Glass and Ni 1992,
/// Chiu 2000 (rules 1 and 2), and dimension order.
bool forbidden(Routing routing, Mesh::Way before, Mesh::Way after, Position at) {
  switch (routing) {
    case Routing::dimension_order:
      return is_vertical(before) && !is_vertical(after);
    case Routing::west_first:
      return is_vertical(before) && after == Mesh::west;
    default:
      return (at.x % 2 == 0 && before == Mesh::east && is_vertical(after)) ||
             (at.x % 2 == 1 && is_vertical(before) && after == Mesh::west);
  }
}

TEST(MeshRouting, IsMinimalKeepsTheTurnRulesAndCannotDeadlock) {
  for (const Routing routing : {Routing::dimension_order, Routing::west_first, Routing::odd_even}) {
    for (const auto& [columns, rows, locals] :
         {std::tuple{4, 4, 1}, std::tuple{5, 3, 2}, std::tuple{1, 6, 1}, std::tuple{6, 1, 3},
          std::tuple{2, 2, 5}, std::tuple{7, 5, 1}}) {
      const Mesh mesh(routing, columns, rows, locals);
      std::map<Channel, std::set<Channel>> dependencies;
      walk(mesh, [&](Channel before, Channel after, Position at) {
        EXPECT_FALSE(forbidden(routing, before.way, after.way, at)) << to_string(routing);
        dependencies[before].insert(after);
      });
      EXPECT_FALSE(has_cycle(dependencies)) << to_string(routing) << columns << 'x' << rows;
    }
  }
}

TEST(MeshRouting, AdaptsWhereTheTurnModelAllowsIt) {
  const auto choices = [](Routing routing) {
    const Mesh mesh(routing, 5, 5, 1);
    int count = 0;
    mesh.for_each([&](Position at) {
      mesh.for_each([&](Position target) {
        if (route(mesh.design, to(mesh.address(target, 0)), 0, at).second >= 0) ++count;
      });
    });
    return count;
  };
  EXPECT_EQ(choices(Routing::dimension_order), 0);
  // From a local port west-first chooses for all targets to the north-east and south-east: 10 pairs
  // of columns times 20 pairs of different rows.
  EXPECT_EQ(choices(Routing::west_first), 200);
  // Odd-even at a source: to the east unless the target is in the next, even column (2 of the 10
  // pairs); to the west from even columns (6 of the 10 pairs).
  EXPECT_EQ(choices(Routing::odd_even), (10 - 2 + 6) * 20);
}

TEST(MeshRouting, LeadsToEveryPortThatHasANeighbour) {
  for (const Routing routing : {Routing::dimension_order, Routing::west_first, Routing::odd_even}) {
    const Mesh mesh(routing, 3, 2, 2);
    mesh.for_each([&](Position at) {
      for (int output = 0; output < mesh.design.ports; ++output) {
        const bool leads_out =
            output < mesh.locals() ||
            mesh.inside(Mesh::step(at, static_cast<Mesh::Way>(output - mesh.locals())));
        if (!leads_out) {
          EXPECT_THROW((void)route_to(mesh.design, output, at), UserError);
          continue;
        }
        const OutputChoice choice =
            route(mesh.design, to(route_to(mesh.design, output, at)), 0, at);
        EXPECT_EQ(choice.first, output);
        EXPECT_EQ(choice.second, -1);
      }
    });
  }
}

TEST(TableRouting, LooksThePortUp) {
  Switch s;
  s.ports = 3;
  s.destinations = 5;
  s.routes = {2, 0, 2, 2, 0};
  s = resolved(s);
  EXPECT_EQ(route(s, to(0), 0).first, 2);
  EXPECT_EQ(route(s, to(4), 1).first, 0);
  EXPECT_EQ(route_to(s, 0), 1U);
  EXPECT_THROW((void)route_to(s, 1), UserError);
  EXPECT_EQ(forwarded(s, to(3)), to(3));
}

TEST(TableRouting, AheadNamesTheNextOutput) {
  Switch s;
  s.ports = 3;
  s.routes = {1, 2, 0};
  s.lookahead_routing = true;
  s = resolved(s);
  Header header = to(1);
  header.next = 0;
  EXPECT_EQ(route(s, header, 0).first, 0);
  EXPECT_EQ(forwarded(s, header).next, 2);
  EXPECT_EQ(forwarded(s, header).route, 1U);
}

TEST(AddressRouting, FindsTheRange) {
  constexpr std::uint64_t seed = 7;
  std::mt19937_64 random(seed);
  for (int i = 0; i < 200; ++i) {
    const Switch s = random_switch(
        random, {{"routing", Choice{{"address"}, {}}}, {"address_width", IntRange{1, 10}}});
    std::map<int, std::set<std::uint64_t>> found;
    for (std::uint64_t address = 0; address < std::uint64_t{1} << s.address_width; ++address) {
      const int port = route(s, to(address), 0).first;
      EXPECT_GE(address, s.address_bases[port]);
      EXPECT_LE(address, s.address_limits[port]);
      found[port].insert(address);
    }
    for (int port = 0; port < s.ports; ++port) {
      if (found[port].empty()) {
        EXPECT_THROW((void)route_to(s, port), UserError) << "seed " << seed;
      } else {
        EXPECT_TRUE(found[port].contains(route_to(s, port))) << "seed " << seed;
      }
    }
  }
}

TEST(AddressRouting, CoversAllAddressesOf64Bits) {
  Switch s;
  s.ports = 3;
  s.routing = Routing::address;
  s.address_width = 64;
  s = resolved(s);
  EXPECT_EQ(s.address_bases,
            (std::vector<std::uint64_t>{0, 6148914691236517206U, 12297829382473034411U}));
  EXPECT_EQ(s.address_limits.back(), ~std::uint64_t{0});
  EXPECT_EQ(route(s, to(~std::uint64_t{0}), 0).first, 2);
  EXPECT_EQ(route(s, to(6148914691236517205U), 0).first, 0);
}

TEST(SourceRouting, ConsumesAPortAHop) {
  Switch s;
  s.ports = 5;
  s.routing = Routing::source;
  s.max_hops = 3;
  Header header = to(0b011'000'100);
  for (const int expected : {4, 0, 3}) {
    EXPECT_EQ(route(s, header, 0).first, expected);
    header = forwarded(s, header);
  }
  EXPECT_EQ(header.route, 0U);
  EXPECT_EQ(route_to(s, 3), 3U);
  Header collective;
  collective.op = PacketOp::multicast;
  collective.mask[4] = true;
  EXPECT_EQ(forwarded(s, collective), collective);
}

/// Two levels: each of `leaves` switches has `down` endpoints below and a port up to each of
/// `roots` switches, which have a port down to each leaf.
TEST(UpDownRouting, ArrivesInATreeOfTwoLevels) {
  constexpr int leaves = 3;
  constexpr int roots = 2;
  constexpr int down = 4;
  constexpr int endpoints = leaves * down;
  std::vector<Switch> leaf(leaves);
  for (int i = 0; i < leaves; ++i) {
    leaf[i].ports = down + roots;
    leaf[i].routing = Routing::up_down;
    leaf[i].destinations = endpoints;
    leaf[i].up_ports = roots;
    leaf[i].down_destinations = 1;
    leaf[i].first_destination = i * down;
  }
  Switch root;
  root.ports = leaves;
  root.routing = Routing::up_down;
  root.destinations = endpoints;
  root.down_destinations = down;
  for (int from = 0; from < leaves; ++from) {
    std::set<int> roots_used;
    for (int d = 0; d < endpoints; ++d) {
      const int output = route(leaf[from], to(d), 0).first;
      if (d / down == from) {
        EXPECT_EQ(output, d % down);
        continue;
      }
      ASSERT_GE(output, down);
      roots_used.insert(output - down);
      const int below = route(root, to(d), from).first;
      EXPECT_EQ(below, d / down);
      EXPECT_EQ(route(leaf[below], to(d), output).first, d % down);
    }
    EXPECT_EQ(roots_used.size(), static_cast<std::size_t>(roots));
    for (int output = 0; output < leaf[from].ports; ++output) {
      EXPECT_EQ(route(leaf[from], to(route_to(leaf[from], output)), 0).first, output);
    }
  }
}

}  // namespace
}  // namespace weft::arch
