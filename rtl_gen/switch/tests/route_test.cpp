// SPDX-License-Identifier: Apache-2.0
// The route module against arch::route and arch::forwarded, under Icarus: every header at every
// place where these are few, random ones otherwise.
#include "rtl_gen/switch/route.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "arch/network/header.h"
#include "arch/network/routing.h"
#include "base/tests/run_seed.h"
#include "rtl_gen/hdl/tests/tool_run.h"
#include "rtl_gen/switch/tests/replay.h"

namespace weft::rtl {
namespace {

using arch::Routing;
using arch::Switch;

using test::binary;

/// A case: what stands on the inputs and what must stand on the outputs, one digit a bit.
class Vectors {
 public:
  Vectors(const Switch& device, std::mt19937_64& random) : device_(device), random_(random) {}

  void add(const arch::Header& header, int input, arch::Position position, std::uint64_t prefer) {
    std::vector<std::uint64_t> flit(static_cast<std::size_t>(device_.flit_width + 63) / 64);
    for (auto& word : flit) word = random_();
    arch::write_header(device_, header, flit);
    const bool head = random_() % 8 != 0;
    std::vector<std::uint64_t> leaving = flit;
    if (head) arch::write_header(device_, arch::forwarded(device_, header), leaving);
    std::string output(static_cast<std::size_t>(device_.ports), '0');
    if (header.op == arch::PacketOp::unicast) {
      output[output.size() - 1 -
             static_cast<std::size_t>(chosen(header, input, position, prefer))] = '1';
    }
    text_ +=
        fmt::format("{}_{}_{}_{}_{}_{}_{}_{}\n", bits(flit), head ? 1 : 0,
                    binary(static_cast<std::uint64_t>(position.x), 16),
                    binary(static_cast<std::uint64_t>(position.y), 16),
                    input == device_.ports - 3 ? 1 : 0, binary(prefer, 4), output, bits(leaving));
    ++count_;
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] int count() const { return count_; }

 private:
  [[nodiscard]] std::string bits(const std::vector<std::uint64_t>& flit) const {
    std::string all;
    for (std::size_t word = flit.size(); word-- > 0;) all += binary(flit[word], 64);
    return all.substr(all.size() - static_cast<std::size_t>(device_.flit_width));
  }

  [[nodiscard]] int chosen(const arch::Header& header, int input, arch::Position position,
                           std::uint64_t prefer) const {
    const arch::OutputChoice choice = arch::route(device_, header, input, position);
    if (choice.second < 0) return choice.first;
    const int east = device_.ports - 4;
    const int pair = (choice.first == east ? 0 : 2) + (choice.second == east + 2 ? 0 : 1);
    return (prefer >> pair & 1) != 0 ? choice.first : choice.second;
  }

  const Switch& device_;
  std::mt19937_64& random_;
  std::string text_;
  int count_ = 0;
};

std::string testbench(const Switch& device, int count) {
  std::string ports = ".flit_i(flit), .output_o(out)";
  if (rewrites_header(device)) ports += ", .head_i(head), .flit_o(leaving)";
  if (device.mesh()) {
    ports +=
        fmt::format(", .x_i(x[{}:0]), .y_i(y[{}:0])", x_width(device) - 1, y_width(device) - 1);
  }
  if (device.routing == Routing::odd_even) ports += ", .from_west_i(from_west)";
  if (device.adaptive()) ports += fmt::format(", .prefer_i(prefer[{}:0])", preferences(device) - 1);
  return fmt::format(R"(module tb;
  reg [{0}-1:0] flit, expected_flit; reg head, from_west; reg [15:0] x, y; reg [3:0] prefer;
  reg [{1}-1:0] expected; wire [{1}-1:0] out; wire [{0}-1:0] leaving;
  {2}_route dut({3});
  reg [2*{0}+{1}+38-1:0] vectors [0:{4}-1];
  integer i, wrong = 0;
  initial begin
    $readmemb("vectors", vectors);
    for (i = 0; i < {4}; i = i + 1) begin
      {{flit, head, x, y, from_west, prefer, expected, expected_flit}} = vectors[i]; #1;
      if (out !== expected || ({5} && leaving !== expected_flit)) begin
        wrong = wrong + 1;
        if (wrong < 4) $display("%h head %b at %0d %0d west %b prefer %b: %b %h, not %b %h", flit,
                                head, x, y, from_west, prefer, out, leaving, expected, expected_flit);
      end
    end
    $display("wrong %0d of %0d", wrong, i);
  end
endmodule
)",
                     device.flit_width, device.ports, device.name, ports, count,
                     rewrites_header(device) ? 1 : 0);
}

std::string describe(const Switch& device) {
  return fmt::format("{} {} ports, {} destinations, {} up, {} below each from {}, mesh {}x{}",
                     to_string(device.routing), device.ports, device.destinations, device.up_ports,
                     device.down_destinations, device.first_destination, device.mesh_columns,
                     device.mesh_rows);
}

/// Values that the route field may have.
std::uint64_t legal_fields(const Switch& device) {
  switch (device.routing) {
    case Routing::destination_table:
    case Routing::up_down:
      return static_cast<std::uint64_t>(device.destinations);
    default:
      return std::uint64_t{1} << std::min(arch::HeaderLayout(device).route_width, 62);
  }
}

/// Whether a field, whose bits may be any, is one of a legal packet.
bool legal(const Switch& device, std::uint64_t field) {
  if (device.routing == Routing::source) {
    const int width = arch::index_width(device.ports);
    for (int hop = 0; hop < device.max_hops; ++hop) {
      if ((field >> hop * width & ((1U << width) - 1)) >= static_cast<unsigned>(device.ports)) {
        return false;
      }
    }
  }
  if (device.mesh()) {
    const arch::MeshWidths widths(device);
    const auto part = [&](int low, int width) {
      return static_cast<int>(field >> low & ((std::uint64_t{1} << width) - 1));
    };
    return part(0, widths.x) < device.mesh_columns && part(widths.x, widths.y) < device.mesh_rows &&
           part(widths.x + widths.y, widths.local) < arch::local_ports(device);
  }
  return true;
}

void expect_routes(const Switch& device, std::mt19937_64& random) {
  constexpr std::uint64_t most_cases = 4000;
  Vectors vectors(device, random);
  const auto add = [&](std::uint64_t field, int input, arch::Position position,
                       std::uint64_t prefer) {
    if (!legal(device, field)) return;
    arch::Header header;
    header.route = field;
    if (device.lookahead_routing) {
      header.next = static_cast<int>(random() % static_cast<unsigned>(device.ports));
    }
    if (device.collectives() && random() % 4 == 0) {
      header.op = random() % 2 == 0 ? arch::PacketOp::multicast : arch::PacketOp::max;
      header.route = 0;
      for (int port = 0; port < device.ports; ++port) {
        header.mask[static_cast<std::size_t>(port)] = random() % 2 == 0;
      }
    }
    vectors.add(header, input, position, prefer);
  };
  const std::uint64_t fields = legal_fields(device);
  const int columns = device.mesh() ? device.mesh_columns : 1;
  const int rows = device.mesh() ? device.mesh_rows : 1;
  const int inputs = device.routing == Routing::odd_even ? device.ports : 1;
  const int preferred = 1 << preferences(device);
  const auto places = static_cast<std::uint64_t>(columns * rows * inputs * preferred);
  if (fields < most_cases && fields * places < most_cases) {
    for (std::uint64_t field = 0; field < fields; ++field) {
      for (int x = 0; x < columns; ++x) {
        for (int y = 0; y < rows; ++y) {
          for (int input = 0; input < inputs; ++input) {
            for (int prefer = 0; prefer < preferred; ++prefer) {
              add(field, input, {x, y}, static_cast<std::uint64_t>(prefer));
            }
          }
        }
      }
    }
  } else {
    const auto below = [&](int bound) {
      return static_cast<int>(random() % static_cast<unsigned>(bound));
    };
    while (vectors.count() < 1000) {
      std::uint64_t field = random() % fields;
      if (device.routing == Routing::address) {
        // Half of them at the borders of ranges.
        const auto port = static_cast<std::size_t>(below(device.ports));
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - device.address_width);
        field = random() & all;
        if (random() % 2 == 0) {
          field = (device.address_bases[port] + random() % 3 - 1) & all;
        }
      }
      add(field, below(inputs), {below(columns), below(rows)},
          static_cast<std::uint64_t>(below(preferred)));
    }
  }

  hdl::Design design;
  add_route(design, device);
  const hdl::test::ScratchDirectory scratch;
  const std::string file = device.name + "_route.v";
  scratch.write(file, design.render().at(file));
  scratch.write("tb.v", testbench(device, vectors.count()));
  scratch.write("vectors", vectors.text());
  const auto result = hdl::test::run(
      scratch.path(), fmt::format("iverilog -g2005 -Wall -s {0} -t null {0}.v && "
                                  "iverilog -g2005 -s tb -o sim {0}.v tb.v && vvp -n sim",
                                  device.name + "_route"));
  EXPECT_EQ(result.output, fmt::format("wrong 0 of {}\n", vectors.count())) << describe(device);
  const auto lint = hdl::test::run(scratch.path(), "verilator --lint-only -Wall " + file +
                                                       " && yosys -q -p 'read_verilog " + file +
                                                       "; hierarchy -check; proc; check -assert'");
  EXPECT_TRUE(lint.status == 0 && lint.output.empty()) << lint.output << describe(device);
}

Switch of(int ports, Routing routing) {
  Switch device;
  device.ports = ports;
  device.routing = routing;
  return device;
}

/// With and, where that is legal, without an op in the header.
void expect_both(Switch device, std::mt19937_64& random) {
  for (const bool collectives : {false, true}) {
    if (collectives && (device.lookahead_routing || device.adaptive())) continue;
    device.multicast = collectives;
    device.flit_width = 1;
    device.flit_width = arch::HeaderLayout(arch::resolved(device)).bits + (collectives ? 0 : 7);
    expect_routes(arch::resolved(device), random);
  }
}

TEST(Route, ByTable) {
  std::mt19937_64 random(weft::test::run_seed());
  for (const auto& [ports, destinations] :
       {std::pair{2, 2}, {3, 3}, {16, 16}, {5, 1}, {2, 9}, {16, 100}, {72, 300}}) {
    for (const bool lookahead : {false, true}) {
      Switch device = of(ports, Routing::destination_table);
      device.lookahead_routing = lookahead;
      device.destinations = destinations;
      if (destinations != ports) {
        for (int d = 0; d < destinations; ++d) {
          device.routes.push_back(static_cast<int>(random() % static_cast<unsigned>(ports)));
        }
      }
      expect_both(device, random);
    }
  }
}

TEST(Route, ByAddress) {
  std::mt19937_64 random(weft::test::run_seed());
  for (const int width : {8, 31, 33, 64}) {
    for (const int ports : {2, 5, 16}) {
      Switch device = of(ports, Routing::address);
      device.address_width = width;
      expect_both(device, random);  // equal parts
      // Ranges of random size, on borders of random alignment, in random order.
      const int grain = static_cast<int>(random() % static_cast<unsigned>(width - 7));
      const std::uint64_t last = ~std::uint64_t{0} >> (64 - width);
      std::set<std::uint64_t> borders;
      while (static_cast<int>(borders.size()) < ports - 1) {
        if (const std::uint64_t border = (random() & last) >> grain << grain; border != 0) {
          borders.insert(border);
        }
      }
      device.address_bases.assign(1, 0);
      device.address_bases.insert(device.address_bases.end(), borders.begin(), borders.end());
      device.address_limits.clear();
      for (const std::uint64_t border : borders) device.address_limits.push_back(border - 1);
      device.address_limits.push_back(last);
      const std::uint64_t order = random();
      std::mt19937_64 first(order), second(order);
      std::ranges::shuffle(device.address_bases, first);
      std::ranges::shuffle(device.address_limits, second);
      expect_both(device, random);
    }
  }
}

TEST(Route, BySource) {
  std::mt19937_64 random(weft::test::run_seed());
  for (const int ports : {2, 3, 8, 20}) {
    for (const int hops : {1, 2, 5}) {
      Switch device = of(ports, Routing::source);
      device.max_hops = hops;
      expect_both(device, random);
    }
  }
}

TEST(Route, UpOrDown) {
  std::mt19937_64 random(weft::test::run_seed());
  struct Tree {
    int ports, up, below, first, destinations;
  };
  for (const Tree& tree : {Tree{4, 0, 1, 0, 4},
                           {5, 0, 3, 0, 15},
                           {8, 4, 4, 32, 64},
                           {8, 4, 4, 8, 64},
                           {8, 4, 1, 3, 17},
                           {6, 1, 2, 0, 12},
                           {9, 3, 5, 11, 70},
                           {36, 18, 18, 324, 11664},
                           {5, 3, 1, 0, 2},
                           {12, 7, 3, 1, 16},
                           {7, 6, 16, 16, 100}}) {
    Switch device = of(tree.ports, Routing::up_down);
    device.up_ports = tree.up;
    device.down_destinations = tree.below;
    device.first_destination = tree.first;
    device.destinations = tree.destinations;
    expect_both(device, random);
  }
}

TEST(Route, InMeshes) {
  std::mt19937_64 random(weft::test::run_seed());
  for (const Routing routing : {Routing::dimension_order, Routing::west_first, Routing::odd_even}) {
    for (const auto& [columns, rows] :
         {std::pair{4, 4}, {2, 1}, {1, 3}, {3, 2}, {1, 1}, {8, 8}, {33, 20}}) {
      for (const int ports : {5, 7}) {
        if (columns * rows * (ports - 4) == 1) continue;
        Switch device = of(ports, routing);
        device.mesh_columns = columns;
        device.mesh_rows = rows;
        expect_both(device, random);
      }
    }
  }
}

}  // namespace
}  // namespace weft::rtl
