// SPDX-License-Identifier: Apache-2.0
#include "synth/tool_reports.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace weft::synth {
namespace {

TEST(ToolReports, FindsTheModulesOwnName) {
  EXPECT_EQ(base_module_name("pe"), "pe");
  EXPECT_EQ(base_module_name(R"($paramod\pe\W=s32'00000000000000000000000000001000)"), "pe");
  EXPECT_EQ(base_module_name(R"($paramod$2470b7ea32c975a55c3ab8b283381b72d09e16d3\pe)"), "pe");
}

TEST(ToolReports, ReadsCellCounts) {
  const auto modules = read_stat_json(
      R"({"modules": {"\\top": {"num_cells_by_type": {"pe": 3, "INVX1": 2}},
                      "\\pe": {"num_cells_by_type": {}}}})");
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_EQ(modules.at("top"), (CellCounts{{"INVX1", 2}, {"pe", 3}}));
  EXPECT_TRUE(modules.at("pe").empty());
  EXPECT_THROW(read_stat_json("{\"modules\": {"), ToolError);
  EXPECT_THROW(read_stat_json("{}"), ToolError);
}

// What Yosys 0.23 prints of a design of three levels.
TEST(ToolReports, ReadsCellCountsOfInstancesWithinInstances) {
  const auto modules = read_stat_json(R"({
   "modules": {
      "\\top": {
         "num_cells_by_type": {
            "row": 1
         }
      },
      "\\row": {
         "num_cells_by_type": {
            "$paramod\\pe\\W=s32'1": 3
         }
      }
   },
       $paramod\pe\W=s32'1      3
      "design": {
         "num_cells": 3
      }
}
)");
  EXPECT_EQ(modules.at("row"), (CellCounts{{"$paramod\\pe\\W=s32'1", 3}}));
}

TEST(ToolReports, ReadsAreaAndDelay) {
  EXPECT_EQ(read_chip_area("  Chip area for module '\\top': 82943.250000\n"), 82943.25);
  EXPECT_EQ(read_chip_area("Number of cells: 0"), std::nullopt);
  EXPECT_EQ(read_abc_delay_ns("Gates = 1  Delay =  3167.68 ps  (  5.7 %)\n"), 3.16768);
  EXPECT_EQ(read_abc_delay_ns("nothing"), std::nullopt);
}

constexpr const char* timing_log = R"(Warning: There are 4 unclocked register/latch pins.
Startpoint: _1_ (rising edge-triggered flip-flop clocked by clock)
Endpoint: _2_ (rising edge-triggered flip-flop clocked by clock)

      Cap      Slew     Delay      Time   Description
-------------------------------------------------------------------------------
             0.0000    0.0000    0.0000   clock clock (rise edge)
                       0.0000    0.0000   clock network delay (ideal)
             0.0000    0.0000    0.0000 ^ _1_/CLK (DFFPOSX1)
   9.3317    0.0480    0.1598    0.1598 v _1_/Q (DFFPOSX1)
 138.5755    0.1544    0.1947    0.3545 ^ _5_/Y (INVX1)
             0.0629    0.0000    0.3545 ^ _2_/D (DFFPOSX1)
                                 0.3545   data arrival time

             0.0000    5.0000    5.0000   clock clock (rise edge)
                                 5.0000 ^ _2_/CLK (DFFPOSX1)
worst slack 4.4617
timing complete
)";

TEST(ToolReports, ReadsTheCriticalPath) {
  const Timing timing = read_timing(timing_log, "log");
  EXPECT_EQ(timing.slack_ns, 4.4617);
  EXPECT_EQ(timing.unclocked_registers, 4);
  EXPECT_EQ(timing.loops, 0);
  EXPECT_EQ(timing.start, "_1_/Q");
  EXPECT_EQ(timing.end, "_2_/D");
  ASSERT_EQ(timing.stages.size(), 3U);
  EXPECT_EQ(timing.stages[1], (Stage{"_5_/Y", "INVX1", '^', 0.1947, 0.3545}));
}

TEST(ToolReports, DoesNotTrustATimingLogWithErrors) {
  const std::string log = timing_log;
  // As OpenSTA prints it: behind another message, without a line end, and it goes on.
  EXPECT_THROW(read_timing("no network.Error: netlist.v, line 3 syntax error\n" + log, "log"),
               ToolError);
  EXPECT_THROW(read_timing(log.substr(0, log.find("timing complete")), "log"), ToolError);
  EXPECT_FALSE(
      read_timing("No paths found.\nworst slack 1e+39\ntiming complete\n", "log").slack_ns);
}

TEST(ToolReports, FindsWhatAPinIsConnectedTo) {
  const std::string netlist =
      "module top(clk);\n"
      "  DFFPOSX1 _1_ (\n    .CLK(clk),\n    .D(_0_),\n    .Q(\\g[0].u.p[2] )\n  );\n"
      "  DFFPOSX1 _2_ (\n    .CLK(clk),\n    .D(_3_),\n    .Q(plain)\n  );\n"
      "endmodule\n";
  EXPECT_EQ(connected_net(netlist, "DFFPOSX1", "_1_", "Q"), "g[0].u.p[2]");
  EXPECT_EQ(connected_net(netlist, "DFFPOSX1", "_2_", "Q"), "plain");
  EXPECT_EQ(connected_net(netlist, "DFFPOSX1", "_2_", "QN"), "");
  EXPECT_EQ(connected_net(netlist, "DFFPOSX1", "_4_", "Q"), "");
}

TEST(Result, SurvivesJson) {
  Result result;
  result.top = "top";
  result.parameters = {{"N", "3"}};
  result.target = "osu018";
  result.clock_ns = 2.5;
  result.area_um2 = 59163.25;
  result.cells = 1512;
  result.registers = 118;
  result.critical_path_ns = 3.376161334949966;
  result.path = {"a", "b", {{"_5_/Y", "INVX1", 'v', 0.1947, 0.3545}}};
  result.by_cell = {{"INVX1", {3, 48}}};
  result.by_module = {{"pe", {2, 3, 4, 5.5}}};
  result.warnings = {"careful"};
  result.tool_versions = {{"yosys", "0.23"}};
  result.directory = "/somewhere";
  result.scripts = {"run.sh"};
  const Result copy = result_from_json(nlohmann::ordered_json::parse(to_json(result).dump()));
  EXPECT_EQ(to_json(copy), to_json(result));
  EXPECT_EQ(copy.path, result.path);
  EXPECT_EQ(copy.by_module, result.by_module);
  EXPECT_EQ(copy.critical_path_ns, result.critical_path_ns);
}

TEST(Result, PrintsATable) {
  Result result;
  result.top = "my_array";
  result.target = "osu018";
  result.clock_ns = 5;
  result.area_um2 = 1571321;
  result.macs = 64;
  result.area_per_mac_um2 = result.area_um2 / 64;
  result.cells = 39753;
  const std::string text = to_text(result);
  EXPECT_NE(text.find("my_array on osu018, clock 5 ns\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1,571,321 um2, 24,552 um2 per MAC (64 MACs)"), std::string::npos) << text;
  EXPECT_NE(text.find("39,753, of which 0 registers"), std::string::npos) << text;
}

}  // namespace
}  // namespace weft::synth
