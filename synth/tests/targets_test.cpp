// SPDX-License-Identifier: Apache-2.0
//
// Recipes, searches and FPGAs, with the real tools.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "base/tools.h"
#include "synth/search/fastest.h"
#include "synth/search/frontier.h"
#include "synth/synth.h"
#include "synth/tests/synth_fixture.h"

namespace weft::synth {
namespace {

namespace fs = std::filesystem;

constexpr const char* mac_verilog = R"(
module mac (input clk_i, input signed [7:0] a_i, b_i, output reg signed [19:0] sum_q);
  always @(posedge clk_i) sum_q <= sum_q + a_i * b_i;
endmodule
)";

constexpr const char* memories_verilog = R"(
module memories (input clk_i, input we_i, input [8:0] write_i, read_i, input [15:0] d_i,
                 output reg [15:0] clocked_o, output [7:0] direct_o);
  (* no_rw_check *) reg [15:0] clocked [0:511];
  reg [7:0] direct [0:63];
  always @(posedge clk_i) begin
    if (we_i) clocked[write_i] <= d_i;
    if (we_i) direct[write_i[5:0]] <= d_i[7:0];
    clocked_o <= clocked[read_i];
  end
  assign direct_o = direct[read_i[5:0]];
endmodule
)";

using TargetsTest = SynthFixture;
using test::contains;

TEST_F(TargetsTest, ALibraryOfSeveralFilesIsTheSame) {
  const std::string whole = mini_library();
  const auto flip_flop = whole.find("  cell (DFF)");
  const auto first_cell = whole.find("  cell (");
  Request r = request("nand_stage", nand_verilog);
  r.target = mini();
  const Result expected = run(r);
  r.target = write("gates.lib", whole.substr(0, flip_flop) + "}\n").string() + "," +
             write("registers.lib", whole.substr(0, first_cell) + whole.substr(flip_flop)).string();
  const Result merged = run(r);
  EXPECT_EQ(merged.area_um2, expected.area_um2);
  EXPECT_EQ(merged.by_cell, expected.by_cell);
  EXPECT_EQ(merged.critical_path_ns, expected.critical_path_ns);
}

TEST_F(TargetsTest, RecipesTradeAreaForSpeed) {
  Request r = request("mac", mac_verilog);
  r.clock_ns = 1;
  r.recipe.name = "area";
  const Result area = run(r);
  r.recipe.name = "balanced";
  const Result balanced = run(r);
  r.recipe.name = "speed";
  const Result speed = run(r);
  EXPECT_LT(area.area_um2, balanced.area_um2);
  EXPECT_LT(speed.critical_path_ns, balanced.critical_path_ns);
  EXPECT_EQ(speed.registers, balanced.registers);
  EXPECT_EQ(area.recipe, "area");
}

TEST_F(TargetsTest, ResultsAreKeptByRecipe) {
  Request r = request("nand_stage", nand_verilog);
  r.cache_directory = directory_ / "cache";
  const Result balanced = run(r);
  r.recipe.name = "area";
  const Result area = run(r);
  EXPECT_FALSE(area.cached);
  EXPECT_NE(area.digest, balanced.digest);
  EXPECT_TRUE(run(r).cached);
  r.recipe.abc_script = write("mine.abc", "strash; &get -n; &nf; &put; stime -p\n");
  EXPECT_FALSE(run(r).cached);
  r.recipe.abc_script = write("mine.abc", "strash; dc2; &get -n; &nf; &put; stime -p\n");
  EXPECT_FALSE(run(r).cached);
}

TEST_F(TargetsTest, AScriptOfOnesOwn) {
  Request r = request("nand_stage", std::string(nand_verilog) + R"(
module twice (input clk_i, input [1:0] a_i, b_i, output [1:0] q_o);
  nand_stage low (.clk_i(clk_i), .a_i(a_i[0]), .b_i(b_i[0]), .q_o(q_o[0]));
  nand_stage high (.clk_i(clk_i), .a_i(a_i[1]), .b_i(b_i[1]), .q_o(q_o[1]));
endmodule
)");
  r.top = "twice";
  r.target = mini();
  r.recipe.script = write("mine.ys",
                          "synth {flatten} -top {top}\ndfflibmap -liberty {library}\n"
                          "abc -liberty {library} -constr {constraints} -D {period_ps} -script "
                          "{abc_script}\n");
  r.recipe.abc_script = write("mine.abc", "strash; &get -n; &nf -D {period_ps}; &put; stime -p\n");
  const Result result = run(r);
  EXPECT_EQ(result.registers, 6U);
  EXPECT_NEAR(result.critical_path_ns, nand_stage_ns, 1e-6);  // so the clock was found
  EXPECT_EQ(result.by_module.at("nand_stage").instances, 2U);
  EXPECT_EQ(result.recipe, "mine.ys and mine.abc");
  // Without {flatten} modules cannot be kept apart.
  r.recipe = {.script = write("flat.ys",
                              "synth -flatten -top {top}\ndfflibmap -liberty {library}\n"
                              "abc -liberty {library}\n")};
  EXPECT_TRUE(run(r).by_module.empty());
}

TEST_F(TargetsTest, AMistakeInAScriptIsToldWithTheLog) {
  Request r = request("nand_stage", nand_verilog);
  r.recipe.script = write("mine.ys", "synthesise everything\n");
  const std::string text = message<std::runtime_error>(r);
  EXPECT_TRUE(contains(text, "synthesise")) << text;
}

TEST_F(TargetsTest, FindsTheFastestClock) {
  Request r = request("nand_stage", nand_verilog);
  r.target = mini();
  r.cache_directory = directory_ / "cache";
  const auto fastest = find_fastest_clock(r, {.tolerance = 0.01});
  EXPECT_GE(fastest.result.clock_ns, nand_stage_ns - 1e-9);
  EXPECT_LE(fastest.result.clock_ns, nand_stage_ns * 1.01 + 0.001);
  EXPECT_LT(fastest.missed_ns, nand_stage_ns);
  EXPECT_TRUE(fastest.result.meets_timing());
  for (const Result& probe : fastest.probes)
    EXPECT_EQ(probe.meets_timing(), probe.clock_ns >= nand_stage_ns - 1e-9) << probe.clock_ns;
  for (const Result& probe : find_fastest_clock(r, {.tolerance = 0.01, .jobs = 2}).probes)
    EXPECT_TRUE(probe.cached) << probe.clock_ns;
  // One at a time is bisection, to the same end.
  const auto bisected = find_fastest_clock(r, {.tolerance = 0.01, .jobs = 1});
  EXPECT_NEAR(bisected.result.clock_ns, nand_stage_ns, 0.01 * nand_stage_ns);
  EXPECT_THROW(find_fastest_clock(r, {.tolerance = 0}), UserError);
}

TEST_F(TargetsTest, FindsTheFrontier) {
  Request r = request("mac", mac_verilog);
  std::vector<std::string> told;
  r.progress = [&told](std::string_view line) { told.emplace_back(line); };
  const auto frontier = find_frontier(r, {"area", "speed"}, 1, 2);
  ASSERT_EQ(frontier.points.size(), 6U);
  EXPECT_EQ(told.size(), 6U);
  const auto kept = [&](const std::string& recipe) {
    return std::ranges::any_of(frontier.points, [&](const FrontierPoint& point) {
      return point.recipe == recipe && !point.dominated;
    });
  };
  EXPECT_TRUE(kept("area") && kept("speed"));
  EXPECT_THROW(find_frontier(r, {}, 1, 1), UserError);
  r.target = "ecp5";
  EXPECT_THROW(find_frontier(r, {"area"}, 1, 1), UserError);
}

TEST_F(TargetsTest, AMissedClockIsToldByHowMuchAndWhere) {
  Request r = request("nand_stage", nand_verilog);
  r.target = mini();
  r.clock_ns = 0.5;
  const Result result = run(r);
  EXPECT_FALSE(result.meets_timing());
  const std::string text = to_text(result);
  EXPECT_TRUE(contains(text, "the clock of 0.5 ns is missed by 0.350 ns on this path")) << text;
  EXPECT_TRUE(contains(text, "_q -> q_o")) << text;
}

TEST_F(TargetsTest, FpgasTakeOneFlipFlopPerBit) {
  for (const char* target : {"ice40", "ecp5", "xilinx7"}) {
    Request r = request("nand_stage", nand_verilog);
    r.target = target;
    const Result result = run(r);
    EXPECT_EQ(result.fpga->flip_flops, 3U) << target;
    EXPECT_EQ(result.fpga->luts, 1U) << target;
    EXPECT_EQ(result.registers, 3U) << target;
    EXPECT_FALSE(result.timed());
  }
}

TEST_F(TargetsTest, ClockedMemoriesBecomeBlockRam) {
  for (const auto& [target, direct_place] :
       {std::pair{"ice40", "registers"}, {"ecp5", "LUT RAM"}, {"xilinx7", "LUT RAM"}}) {
    Request r = request("memories", memories_verilog);
    r.target = target;
    r.cache_directory = directory_ / "cache";
    const Result result = run(r);
    ASSERT_EQ(result.fpga->memories.size(), 2U) << target;
    EXPECT_EQ(result.fpga->memory_bits("block RAM"), 512U * 16) << target;
    EXPECT_EQ(result.fpga->memory_bits(direct_place), 64U * 8) << target;
    EXPECT_GE(result.fpga->block_rams, 1U);
    EXPECT_TRUE(contains(to_text(result), "512 bits are read without a clock"));
    const Result again = run(r);
    EXPECT_TRUE(again.cached);
    EXPECT_EQ(again.fpga, result.fpga);
  }
}

TEST_F(TargetsTest, ADspBlockMultiplies) {
  Request r = request("mac", mac_verilog);
  for (const char* target : {"ice40up", "ecp5"}) {
    r.target = target;
    EXPECT_EQ(run(r).fpga->dsps, 1U) << target;
  }
  r.target = "ice40";
  EXPECT_EQ(run(r).fpga->dsps, 0U);
}

TEST_F(TargetsTest, PlacesAndRoutes) {
  if (!base::find_executable("nextpnr-ice40") || !base::find_executable("icetime"))
    GTEST_SKIP() << "nextpnr-ice40 and fpga-icestorm are not installed";
  Request r = request("mac", mac_verilog);
  r.target = "ice40";
  r.place_and_route = true;
  r.clock_ns = 20;
  const Result result = run(r);
  EXPECT_TRUE(result.timed());
  // A carry chain of 20 bits alone takes 20 x 0.126 ns on this device.
  EXPECT_GT(result.critical_path_ns, 2.5);
  EXPECT_LT(result.critical_path_ns, 30);
  EXPECT_NEAR(result.fmax_mhz * result.critical_path_ns, 1000, 1e-6);
  EXPECT_FALSE(result.path.start.empty() || result.path.end.empty());
}

TEST_F(TargetsTest, RefusesWhatATargetCannotDo) {
  Request r = request("mac", mac_verilog);
  r.place_and_route = true;
  EXPECT_TRUE(contains(message<UserError>(r), "only FPGAs are placed and routed"));
  r.target = "ecp5";
  EXPECT_TRUE(contains(message<UserError>(r), "target ecp5 cannot be placed and routed"));
}

/// With a PATH of its own.
class OtherToolsTest : public TargetsTest {
 protected:
  void SetUp() override { path_ = std::getenv("PATH"); }
  void TearDown() override { ::setenv("PATH", path_.c_str(), 1); }
  /// A program of the given text, as an executable file.
  [[nodiscard]] fs::path program(const std::string& name, const std::string& text) const {
    const auto file = write(name, "#!/bin/sh\n" + text + "\n");
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  std::string path_;
};

TEST_F(OtherToolsTest, AYosysByPath) {
  Request r = request("nand_stage", nand_verilog);
  r.cache_directory = directory_ / "cache";
  run(r);
  const auto real = base::find_tool("yosys").string();
  r.yosys = program("yosys", fmt::format("if [ \"$1\" = -V ]; then echo 'Yosys 0.99 (mine)'; else "
                                         "exec {} \"$@\"; fi",
                                         real))
                .string();
  const Result result = run(r);
  EXPECT_FALSE(result.cached);
  EXPECT_EQ(result.tool_versions.at("yosys"), "Yosys 0.99 (mine)");
  EXPECT_TRUE(contains(base::read_file(r.output_directory / "run.sh"), r.yosys));
}

TEST_F(OtherToolsTest, WhatIsNotAYosysIsRefused) {
  Request r = request("nand_stage", nand_verilog);
  r.yosys = program("yosys", "echo 'Yosys 0.9 (old)'").string();
  EXPECT_TRUE(contains(message<ToolError>(r), "is too old: 0.23 or newer"));
  r.yosys = program("other", "echo 'other 3.2'").string();
  EXPECT_TRUE(contains(message<ToolError>(r), "is not Yosys"));
  r.yosys = write("text", "hello\n").string();
  EXPECT_TRUE(contains(message<ToolError>(r), "is not an executable file"));
}

TEST_F(OtherToolsTest, AMissingRouterIsToldBeforeAnythingRuns) {
  const auto yosys = base::find_tool("yosys");
  fs::create_directory(directory_ / "bin");
  fs::create_symlink(yosys, directory_ / "bin" / "yosys");
  ::setenv("PATH", (directory_ / "bin").c_str(), 1);
  Request r = request("mac", mac_verilog);
  r.target = "ice40";
  r.place_and_route = true;
  EXPECT_EQ(message<ToolError>(r), "nextpnr-ice40 is not installed (Debian package nextpnr-ice40)");
}

}  // namespace
}  // namespace weft::synth
