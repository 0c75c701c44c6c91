// SPDX-License-Identifier: Apache-2.0
#include "synth/power/power.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "synth/power/tests/hand_library.h"

namespace weft::synth {
namespace {

constexpr double pj = 1e-12;
constexpr double nw = 1e-9;

constexpr const char* chain = R"(
module top (clk, d, q);
  input clk; input d; output q;
  wire a; wire b; wire x;
  INV u0 ( .A(d), .Y(a) );
  INV u1 ( .A(a), .Y(b) );
  DFF r ( .CK(clk), .D(b), .Q(x) );
  INV u2 ( .A(x), .Y(q) );
endmodule
)";

// 0.1 toggles a cycle everywhere, half of the time 1, 0.015 pF at the output. Every figure is
// worked out by hand from the table in hand_library.h.
TEST(Power, OfAnInverterChainIsWhatOneSumsByHand) {
  const PowerLibrary library = hand_library();
  const Netlist netlist = hand_netlist(chain, library);
  const NetLoads loads = find_loads(netlist, library, "clk", "BUF", 0.015e-12);
  const Activity activity = assumed_activity(netlist, "clk", 0.1);
  const auto energies = cell_energies(netlist, library, loads, activity);
  ASSERT_EQ(energies.size(), 4U);
  // C V^2 / 2 for each toggle, V = 2 V.
  EXPECT_DOUBLE_EQ(energies[0].switching, 0.1 * 0.5 * 0.01 * 4 * pj);
  EXPECT_DOUBLE_EQ(energies[1].switching, 0.1 * 0.5 * 0.01 * 4 * pj);
  EXPECT_DOUBLE_EQ(energies[2].switching, 0.1 * 0.5 * 0.01 * 4 * pj);
  EXPECT_DOUBLE_EQ(energies[3].switching, 0.1 * 0.5 * 0.015 * 4 * pj);
  // A toggle is a rising or a falling one, as often.
  EXPECT_DOUBLE_EQ(energies[0].internal, 0.1 * (0.03 + 0.01) / 2 * pj);
  const double clock_pin = 0.05 + 0.02;  // one of each in a cycle
  EXPECT_NEAR(energies[2].internal,
              (clock_pin + 0.1 * (0.004 + 0.006) / 2 + 0.1 * (0.1 + 0.06) / 2) * pj, 1e-9 * pj);
  EXPECT_DOUBLE_EQ(energies[0].leakage, (0.5 * 2 + 0.5 * 4) * nw);
  EXPECT_DOUBLE_EQ(energies[2].leakage, 10 * nw);
  EXPECT_DOUBLE_EQ(clock_energies(netlist, library, loads, activity).at(0), 0.02 * 4 * pj);
  // 5 ns: leakage adds its power times the period.
  EXPECT_DOUBLE_EQ(energies[2].per_cycle(5e-9),
                   energies[2].switching + energies[2].internal + 10 * nw * 5e-9);
}

class Shares : public ::testing::Test {
 protected:
  /// The energy within a gate with inputs a and b, whose rates are given.
  double internal(const char* gate, NetRate a, NetRate b, double y) {
    const PowerLibrary library = hand_library();
    const Netlist netlist = hand_netlist(
        std::string("module top (clk, a, b, y); input clk; input a; input b; output y;") + gate +
            " u ( .A(a), .B(b), .Y(y) ); endmodule",
        library);
    const NetLoads loads = find_loads(netlist, library, "clk", "BUF", 0);
    Activity activity = assumed_activity(netlist, "clk", 0);
    activity.nets[netlist.inputs[*netlist.find_input("a")].net] = a;
    activity.nets[netlist.inputs[*netlist.find_input("b")].net] = b;
    activity.nets[netlist.outputs[0].net] = {y, 0.5};
    return cell_energies(netlist, library, loads, activity)[0].internal / pj;
  }
};

TEST_F(Shares, GoToTheInputThatMadeTheOutputChange) {
  // Only a moves: its table alone counts.
  EXPECT_NEAR(internal("NAND", {0.2, 0.5}, {0, 1}, 0.2), 0.2 * 0.03, 1e-12);
  EXPECT_NEAR(internal("NAND", {0, 1}, {0.2, 0.5}, 0.2), 0.2 * 0.3, 1e-12);
  // b moves twice as often, and passes (a is 1) three quarters of the time, a half of the time:
  // 0.1 * 0.5 against 0.2 * 0.75.
  EXPECT_NEAR(internal("NAND", {0.1, 0.75}, {0.2, 0.5}, 0.2), 0.2 * (0.25 * 0.03 + 0.75 * 0.3),
              1e-12);
  // Neither explains the change: both as likely.
  EXPECT_NEAR(internal("NAND", {0, 0}, {0, 0}, 0.2), 0.2 * (0.03 + 0.3) / 2, 1e-12);
  // All shares together are one energy a change, however many inputs there are.
  EXPECT_NEAR(internal("XOR", {0.3, 0.5}, {0.7, 0.5}, 0.4), 0.4 * 0.05, 1e-12);
  EXPECT_EQ(internal("NAND", {0.1, 0.5}, {0.2, 0.5}, 0), 0);
}

TEST(Power, TablesWithoutAConditionStandForTheOtherStates) {
  const PowerLibrary library = read_power_library(R"lib(
library (states) {
  time_unit : "1ns"; leakage_power_unit : "1nW"; capacitive_load_unit (1, pf); nom_voltage : 1;
  cell (AND) {
    leakage_power () { value : 2; when : "A"; }
    leakage_power () { value : 6; }
    pin (A) { direction : input;
      internal_power () { when : "B"; power (scalar) { values ("1"); } }
      internal_power () { power (scalar) { values ("5"); } } }
    pin (B) { direction : input; }
    pin (Y) { direction : output; function : "A B"; }
  }
}
)lib",
                                                  "states.lib");
  const Netlist netlist = hand_netlist(
      "module top (clk, a, b, y); input clk; input a; input b; output y;"
      " AND u ( .A(a), .B(b), .Y(y) ); endmodule",
      library);
  const NetLoads loads = find_loads(netlist, library, "clk", "AND", 0);
  Activity activity = assumed_activity(netlist, "clk", 0);
  activity.nets[netlist.inputs[1].net] = {0.2, 0.25};
  activity.nets[netlist.inputs[2].net] = {0, 0.75};
  const CellEnergy energy = cell_energies(netlist, library, loads, activity)[0];
  EXPECT_DOUBLE_EQ(energy.leakage, (0.25 * 2 + 0.75 * 6) * nw);
  EXPECT_DOUBLE_EQ(energy.internal, 0.2 * (0.75 * 1 + 0.25 * 5) * pj);
}

TEST(Power, LoadsAndSlewsFollowTheTables) {
  const std::string text = R"lib(
library (slews) {
  time_unit : "1ns"; capacitive_load_unit (1, pf); nom_voltage : 1;
  lu_table_template (t) { variable_1 : total_output_net_capacitance;
    variable_2 : input_net_transition; index_1 ("0, 1"); index_2 ("0, 10"); }
  cell (BUF) { pin (A) { direction : input; capacitance : 0.5; }
    pin (Y) { direction : output; function : "A";
      internal_power () { power (scalar) { values ("1"); } }
      timing () { related_pin : "A"; timing_sense : positive_unate;
        rise_transition (t) { values ("1, 2", "3, 4"); }
        fall_transition (t) { values ("2, 3", "4, 5"); } } } }
  cell (INV) { pin (A) { direction : input; capacitance : 0.25; }
    pin (Y) { direction : output; function : "!A";
      timing () { related_pin : "A"; timing_sense : negative_unate;
        rise_transition (t) { values ("1, 11", "1, 11"); }
        fall_transition (t) { values ("2, 12", "2, 12"); } } } }
}
)lib";
  const PowerLibrary library = read_power_library(text, "slews.lib");
  const Netlist netlist = hand_netlist(
      "module top (clk, a, y); input clk; input a; output y; wire b;"
      " INV u ( .A(a), .Y(b) ); INV v ( .A(b), .Y(y) ); endmodule",
      library);
  const NetLoads loads = find_loads(netlist, library, "clk", "BUF", 3e-12);
  const Net a = netlist.inputs[1].net;
  const Net b = netlist.cells[0].nets[1];
  const Net y = netlist.outputs[0].net;
  EXPECT_DOUBLE_EQ(loads.load[a], 0.25e-12);
  EXPECT_DOUBLE_EQ(loads.load[y], 3e-12);
  // BUF with 0.25 pF behind a slew of 0: a quarter of the way from 1 to 3, and from 2 to 4 ns.
  EXPECT_DOUBLE_EQ(loads.slew[a].rise, 1.5e-9);
  EXPECT_DOUBLE_EQ(loads.slew[a].fall, 2.5e-9);
  // INV: the output rises when the input falls: 1 + 2.5, and falls when it rises: 2 + 1.5.
  EXPECT_DOUBLE_EQ(loads.slew[b].rise, 3.5e-9);
  EXPECT_DOUBLE_EQ(loads.slew[b].fall, 3.5e-9);
  EXPECT_DOUBLE_EQ(loads.slew[y].rise, 4.5e-9);
  EXPECT_DOUBLE_EQ(loads.slew[y].fall, 5.5e-9);
  EXPECT_THROW(find_loads(netlist, library, "clk", "BUFX9", 0), UserError);
}

/// A clock through an AND that stands in a module of its own, and through an inverter and a NAND; d
/// is gated alike, but as data.
constexpr const char* gated = R"(
module top (clk, e, d, q);
  input clk; input e; input d; output [2:0] q; wire g; wire n; wire h; wire x;
  gate u ( .c(clk), .e(e), .g(g) );
  INV i ( .A(clk), .Y(n) );
  NAND a ( .A(n), .B(e), .Y(h) );
  AND b ( .A(d), .B(e), .Y(x) );
  DFF r0 ( .CK(g), .D(x), .Q(q[0]) );
  DFF r1 ( .CK(g), .D(x), .Q(q[1]) );
  DFF r2 ( .CK(h), .D(x), .Q(q[2]) );
endmodule
module gate (c, e, g);
  input c; input e; output g;
  AND s ( .A(c), .B(e), .Y(g) );
endmodule
)";

TEST(Power, TheNetsBehindClockGatesAreClocks) {
  // Whatever the gate drives takes 7 ns.
  std::string text = hand_library_text;
  const std::string function = "function : \"A B\";";
  text.insert(text.find(function) + function.size(),
              " timing () { related_pin : \"A\"; timing_sense : positive_unate;"
              " rise_transition (scalar) { values (\"7\"); }"
              " fall_transition (scalar) { values (\"7\"); } }");
  const PowerLibrary library = read_power_library(text, "hand.lib");
  const Netlist netlist = hand_netlist(gated, library);
  const NetLoads loads = find_loads(netlist, library, "clk", "BUF", 0);
  const auto pin = [&](const char* cell, const char* name) {
    const auto found = std::ranges::find(netlist.cells, cell, &NetlistCell::name);
    return found->nets[static_cast<std::size_t>(found->type->find(name).value())];
  };
  EXPECT_DOUBLE_EQ(loads.slew[pin("b", "Y")].rise, 7e-9);
  for (const Net net : {pin("r0", "CK"), pin("r2", "CK"), pin("i", "A"), pin("i", "Y")}) {
    EXPECT_TRUE(loads.clock[net]) << netlist.net_names[net];
    EXPECT_EQ(loads.slew[net].rise, 0) << netlist.net_names[net];
    EXPECT_EQ(loads.slew[net].fall, 0) << netlist.net_names[net];
  }
  for (const Net net : {pin("b", "A"), pin("b", "B"), pin("b", "Y"), pin("r0", "Q")})
    EXPECT_FALSE(loads.clock[net]) << netlist.net_names[net];
  // Their loads are there all the same: two DFFs.
  EXPECT_DOUBLE_EQ(loads.load[pin("r0", "CK")], 0.04e-12);

  const Activity activity = assumed_activity(netlist, "clk", 0.1);
  const auto clocks = clock_energies(netlist, library, loads, activity);
  ASSERT_EQ(netlist.modules, (std::vector<std::string>{"top", "gate"}));
  // C V^2 a cycle: INV and NAND before, and three DFFs; the AND of the gate.
  EXPECT_NEAR(clocks[0], (0.01 + 0.01 + 3 * 0.02) * 4 * pj, 1e-9 * pj);
  EXPECT_NEAR(clocks[1], 0.01 * 4 * pj, 1e-9 * pj);
  // What is charged there is not counted again at the gates.
  const auto energies = cell_energies(netlist, library, loads, activity);
  for (std::size_t c = 0; c < energies.size(); ++c)
    if (const auto& name = netlist.cells[c].name; name == "u.s" || name == "i" || name == "a")
      EXPECT_EQ(energies[c].switching, 0) << name;
}

}  // namespace
}  // namespace weft::synth
