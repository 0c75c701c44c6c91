// SPDX-License-Identifier: Apache-2.0
#include "synth/power/simulator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "base/error.h"
#include "base/tests/messages.h"
#include "synth/power/activity.h"
#include "synth/power/tests/hand_library.h"
#include "synth/target.h"

namespace weft::synth {
namespace {

constexpr std::uint64_t ones = ~std::uint64_t{0};

/// Bit i of column v: variable v in row i of a truth table of six variables.
std::uint64_t column(int variable) {
  std::uint64_t result = 0;
  for (unsigned row = 0; row < 64; ++row) result |= std::uint64_t{row >> variable & 1U} << row;
  return result;
}

using Inputs = std::map<std::string, bool>;
using Truth = std::function<bool(Inputs& in)>;

/// What the gates of the OSU libraries are by their names.
const std::map<std::string, std::map<std::string, Truth>>& gates() {
  static const std::map<std::string, std::map<std::string, Truth>> table{
      {"INVX1", {{"Y", [](Inputs& i) { return !i["A"]; }}}},
      {"INVX8", {{"Y", [](Inputs& i) { return !i["A"]; }}}},
      {"BUFX2", {{"Y", [](Inputs& i) { return i["A"]; }}}},
      {"CLKBUF1", {{"Y", [](Inputs& i) { return i["A"]; }}}},
      {"AND2X1", {{"Y", [](Inputs& i) { return i["A"] && i["B"]; }}}},
      {"OR2X2", {{"Y", [](Inputs& i) { return i["A"] || i["B"]; }}}},
      {"NAND2X1", {{"Y", [](Inputs& i) { return !(i["A"] && i["B"]); }}}},
      {"NAND3X1", {{"Y", [](Inputs& i) { return !(i["A"] && i["B"] && i["C"]); }}}},
      {"NOR2X1", {{"Y", [](Inputs& i) { return !(i["A"] || i["B"]); }}}},
      {"NOR3X1", {{"Y", [](Inputs& i) { return !(i["A"] || i["B"] || i["C"]); }}}},
      {"XOR2X1", {{"Y", [](Inputs& i) { return i["A"] != i["B"]; }}}},
      {"XNOR2X1", {{"Y", [](Inputs& i) { return i["A"] == i["B"]; }}}},
      {"AOI21X1", {{"Y", [](Inputs& i) { return !((i["A"] && i["B"]) || i["C"]); }}}},
      {"AOI22X1", {{"Y", [](Inputs& i) { return !((i["A"] && i["B"]) || (i["C"] && i["D"])); }}}},
      {"OAI21X1", {{"Y", [](Inputs& i) { return !((i["A"] || i["B"]) && i["C"]); }}}},
      {"OAI22X1", {{"Y", [](Inputs& i) { return !((i["A"] || i["B"]) && (i["C"] || i["D"])); }}}},
      {"MUX2X1", {{"Y", [](Inputs& i) { return !(i["S"] ? i["A"] : i["B"]); }}}},
      {"HAX1",
       {{"YC", [](Inputs& i) { return i["A"] && i["B"]; }},
        {"YS", [](Inputs& i) { return i["A"] != i["B"]; }}}},
      {"FAX1",
       {{"YC", [](Inputs& i) { return int{i["A"]} + int{i["B"]} + int{i["C"]} > 1; }},
        {"YS", [](Inputs& i) { return (int{i["A"]} + int{i["B"]} + int{i["C"]}) % 2 == 1; }}}},
  };
  return table;
}

TEST(SimulatorGates, OfALibraryHaveTheirTruthTables) {
  const Target target = load_target("osu018");
  const PowerLibrary library = read_power_library(target.liberty_text, "osu018");
  for (const auto& [name, outputs] : gates()) {
    const PowerCell& cell = library.cells.at(name);
    std::string ports = "clk";
    std::string body = "input clk;";
    std::string pins;
    for (const PowerPin& pin : cell.pins) {
      ports += ", " + pin.name;
      body += fmt::format(" {} {};", pin.is_input ? "input" : "output", pin.name);
      pins += fmt::format("{}.{}({})", pins.empty() ? "" : ", ", pin.name, pin.name);
    }
    const Netlist netlist = hand_netlist(
        fmt::format("module top({}); {} {} u ({}); endmodule", ports, body, name, pins), library);
    NetlistSimulator simulator(netlist, "clk");
    std::vector<std::string> inputs;
    for (std::size_t i = 1; i < netlist.inputs.size(); ++i) {
      inputs.push_back(netlist.inputs[i].name);
      simulator.set_input(i, column(static_cast<int>(i) - 1));
    }
    simulator.settle();
    for (const auto& [output, truth] : outputs) {
      const std::uint64_t value =
          simulator.value(netlist.outputs[netlist.find_output(output).value()].net);
      for (unsigned row = 0; row < 64; ++row) {
        Inputs in;
        for (std::size_t i = 0; i < inputs.size(); ++i) in[inputs[i]] = (row >> i & 1U) != 0;
        EXPECT_EQ((value >> row & 1U) != 0, truth(in)) << name << "/" << output << " row " << row;
      }
    }
  }
}

class Simulator : public ::testing::Test {
 protected:
  void build(std::string_view body) {
    netlist_ = hand_netlist(body, library_);
    simulator_.emplace(netlist_, "clk");
  }
  std::uint64_t cycle(const std::map<std::string, std::uint64_t>& inputs, const char* output) {
    for (const auto& [name, value] : inputs)
      simulator_->set_input(netlist_.find_input(name).value(), value);
    simulator_->settle();
    const std::uint64_t result =
        simulator_->value(netlist_.outputs[netlist_.find_output(output).value()].net);
    simulator_->finish_cycle(ones);
    return result;
  }
  NetRate rate(std::string_view net) {
    for (std::size_t n = 0; n < netlist_.net_names.size(); ++n) {
      if (netlist_.net_names[n] != net) continue;
      const auto cycles = static_cast<double>(simulator_->activity().cycles);
      return {static_cast<double>(simulator_->activity().toggles[n]) / cycles,
              static_cast<double>(simulator_->activity().half_cycles[n]) / (2 * cycles)};
    }
    throw std::runtime_error("no net");
  }

  PowerLibrary library_ = hand_library();
  Netlist netlist_;
  std::optional<NetlistSimulator> simulator_;
};

// Two registers in a row: values come out two cycles later, lane by lane.
TEST_F(Simulator, RegistersTakeOverAtTheClock) {
  build(
      "module top(clk, d, q); input clk; input d; output q; wire m;"
      " DFF a (.CK(clk), .D(d), .Q(m)); DFF b (.CK(clk), .D(m), .Q(q)); endmodule");
  EXPECT_EQ(cycle({{"d", 0x1234}}, "q"), 0U);
  EXPECT_EQ(cycle({{"d", 0x5678}}, "q"), 0U);
  EXPECT_EQ(cycle({{"d", 0}}, "q"), 0x1234U);
  EXPECT_EQ(cycle({{"d", 0}}, "q"), 0x5678U);
  EXPECT_EQ(cycle({{"d", 0}}, "q"), 0U);
}

TEST_F(Simulator, CountsChangesInTheLanesThatCount) {
  build(
      "module top(clk, d, y, n); input clk; input d; output y; output n;"
      " INV i (.A(d), .Y(y)); INV c (.A(clk), .Y(n)); endmodule");
  cycle({{"d", 0}}, "y");
  simulator_->clear_activity();
  cycle({{"d", 0xF}}, "y");   // 4 lanes change
  cycle({{"d", 0xFF}}, "y");  // 4 more
  cycle({{"d", 0xFF}}, "y");
  cycle({{"d", 0}}, "y");  // 8
  EXPECT_EQ(simulator_->activity().cycles, 4 * 64U);
  EXPECT_DOUBLE_EQ(rate("d").toggles, 16.0 / 256);
  EXPECT_DOUBLE_EQ(rate("y").toggles, 16.0 / 256);
  EXPECT_DOUBLE_EQ(rate("d").high, (4 + 8 + 8) / 256.0);
  EXPECT_DOUBLE_EQ(rate("y").high, 1 - (4 + 8 + 8) / 256.0);
  for (const char* clock : {"clk", "n"}) {
    EXPECT_DOUBLE_EQ(rate(clock).toggles, 2);
    EXPECT_DOUBLE_EQ(rate(clock).high, 0.5);
  }

  simulator_->clear_activity();
  simulator_->set_input(1, ones);
  simulator_->settle();
  simulator_->finish_cycle(3);
  EXPECT_EQ(simulator_->activity().cycles, 2U);
  EXPECT_DOUBLE_EQ(rate("d").toggles, 1);
}

// The usual clock gate: a latch that is open while the clock is low, and an AND.
TEST_F(Simulator, ClocksMayBeGated) {
  build(
      "module top(clk, en, d, q); input clk; input en; input d; output q; wire held; wire gated;"
      " LATN l (.GN(clk), .D(en), .Q(held)); AND g (.A(clk), .B(held), .Y(gated));"
      " DFF r (.CK(gated), .D(d), .Q(q)); endmodule");
  EXPECT_EQ(cycle({{"en", 0xF0}, {"d", 0xFF}}, "q"), 0U);
  EXPECT_EQ(cycle({{"en", 0x0F}, {"d", 0}}, "q"), 0xF0U);
  EXPECT_EQ(cycle({{"en", 0}, {"d", 0xFF}}, "q"), 0xF0U);
  EXPECT_EQ(cycle({{"en", 0xFF}, {"d", 0x55}}, "q"), 0xF0U);
  EXPECT_EQ(cycle({{"en", 0}}, "q"), 0x55U);
  simulator_->clear_activity();
  cycle({{"en", 0xFFFF}}, "q");
  cycle({{"en", 0xFFFF}}, "q");
  // The gated clock goes up and down in the 16 lanes that are enabled.
  EXPECT_DOUBLE_EQ(rate("gated").toggles, (16 + 16 + 16) / 128.0);  // the last fall comes later
  EXPECT_DOUBLE_EQ(rate("gated").high, 0.5 * 32 / 128);
}

TEST_F(Simulator, SaysWhatCannotBeSimulated) {
  const auto error = [&](std::string_view text) {
    return test::message_of<UserError>([&] { build(text); });
  };
  // From each net to the one that it drives, wherever that begins.
  const std::string loop = error(
      "module top(clk, a, y); input clk; input a; output y; wire b; wire c; wire d;"
      " NAND u (.A(a), .B(d), .Y(b)); INV v (.A(b), .Y(c)); BUF x (.A(c), .Y(d));"
      " INV w (.A(c), .Y(y)); endmodule");
  const std::set<std::string> rotations{"b -> c -> d", "c -> d -> b", "d -> b -> c"};
  std::set<std::string> messages;
  for (const auto& nets : rotations)
    messages.insert("a combinational loop of 3 nets: " + nets + ": no activity can be simulated");
  EXPECT_TRUE(messages.contains(loop)) << loop;
  EXPECT_EQ(error("module top(clk, d, q); input clk; input d; output q;"
                  " DFFN r (.CK(clk), .D(d), .Q(q)); endmodule"),
            "r (DFFN): it takes over at the falling edge of the clock, so no activity can be "
            "simulated");
  EXPECT_EQ(error("module top(clk, d, q); input clk; input d; output q;"
                  " DFF r (.CK(d), .D(d), .Q(q)); endmodule"),
            "r (DFF): the clock does not reach it, so no activity can be simulated");
  EXPECT_EQ(error("module top(clk, d, q); input clk; input d; output q;"
                  " DFFR r (.CK(clk), .D(d), .R(d), .QN(q)); endmodule"),
            "r (DFFR): it is set or reset asynchronously, so no activity can be simulated");
  EXPECT_EQ(error("module top(clk, d, q); input clk; input d; output q;"
                  " DFFR r (.CK(clk), .D(d), .R(1'b0), .QN(q)); endmodule"),
            "r (DFFR): its asynchronous set or reset is active, so no activity can be simulated");
  EXPECT_EQ(error("module top(clk, d, q); input clk; input d; output q;"
                  " MYSTERY m (.A(d), .Y(q)); endmodule"),
            "m (MYSTERY): the library does not tell the function of Y, so no activity can be "
            "simulated");
  EXPECT_EQ(error("module top(d); input d; endmodule"), "the netlist has no clock clk");
}

TEST_F(Simulator, InvertedOutputsShowTheInverseOfWhatIsStored) {
  build(
      "module top(clk, d, q); input clk; input d; output q;"
      " DFFR r (.CK(clk), .D(d), .R(1'b1), .QN(q)); endmodule");
  EXPECT_EQ(cycle({{"d", 0xAB}}, "q"), ones);
  EXPECT_EQ(cycle({{"d", 0}}, "q"), ~std::uint64_t{0xAB});
}

}  // namespace
}  // namespace weft::synth
