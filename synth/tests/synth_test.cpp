// SPDX-License-Identifier: Apache-2.0
#include "synth/synth.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <future>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "base/tools.h"
#include "synth/cache.h"
#include "synth/gzip.h"
#include "synth/scripts.h"
#include "synth/tests/synth_fixture.h"

namespace weft::synth {
namespace {

namespace fs = std::filesystem;

constexpr const char* register_verilog = R"(
module word #(parameter WIDTH = 8) (input clk_i, input [WIDTH-1:0] d_i, output reg [WIDTH-1:0] q_o);
  always @(posedge clk_i) q_o <= d_i;
endmodule
)";

using SynthTest = SynthFixture;
using test::contains;

/// What two runs must have in common.
nlohmann::ordered_json numbers(const Result& result) {
  nlohmann::ordered_json json = to_json(result);
  for (const char* name : {"cached", "directory", "cpu_seconds", "peak_rss_mib"}) json.erase(name);
  return json;
}

// ---- numbers that can be found by hand

TEST_F(SynthTest, ARegisterIsOneFlipFlopPerBit) {
  Request r = request("word", register_verilog);
  r.parameters = {{"WIDTH", "13"}};
  r.macs = 2;
  const Result result = run(r);
  constexpr double flip_flop_area = 96;  // DFFPOSX1 in the OSU 180 nm library
  EXPECT_DOUBLE_EQ(result.area_um2, 13 * flip_flop_area);
  EXPECT_EQ(result.cells, 13U);
  EXPECT_EQ(result.registers, 13U);
  EXPECT_EQ(result.by_cell.at("DFFPOSX1"), (CellUse{13, 13 * flip_flop_area}));
  EXPECT_DOUBLE_EQ(result.area_per_mac_um2, 13 * flip_flop_area / 2);
  EXPECT_TRUE(result.warnings.empty());
}

TEST_F(SynthTest, TheCriticalPathIsTheSumOfItsDelays) {
  Request r = request("nand_stage", nand_verilog);
  r.target = mini();
  r.clock_ns = 2;
  const Result result = run(r);
  const double expected = nand_stage_ns;
  EXPECT_NEAR(result.critical_path_ns, expected, 1e-6);
  EXPECT_NEAR(result.slack_ns, 2 - expected, 1e-6);
  EXPECT_NEAR(result.fmax_mhz, 1000 / expected, 1e-3);
  EXPECT_TRUE(result.path.start == "a_q" || result.path.start == "b_q") << result.path.start;
  EXPECT_EQ(result.path.end, "q_o");
  ASSERT_EQ(result.path.stages.size(), 3U);
  EXPECT_NEAR(result.path.stages[0].delay_ns, mini_clock_to_output_ns, 1e-4);
  EXPECT_EQ(result.path.stages[1].cell, "NAND");
  EXPECT_NEAR(result.path.stages[1].delay_ns, mini_nand_ns, 1e-4);
}

// A pF and a kOhm at every net would add nanoseconds to it.
TEST_F(SynthTest, TheWireLoadModelOfALibraryIsNotApplied) {
  const std::string model =
      "  wire_load (long) { capacitance : 1; resistance : 1; slope : 1; fanout_length (1, 1); }\n";
  for (const std::string choice :
       {"default_wire_load : \"long\";", "default_wire_load : long ;\n",
        "wire_load_selection (by_area) { wire_load_from_area (0, 1000000, long); }\n"
        "  default_wire_load_selection : \"by_area\";"}) {
    std::string library = mini_library();
    library.insert(library.find("  cell ("), model + "  " + choice + "\n");
    Request r = request("nand_stage", nand_verilog);
    r.target = write("mini.lib", library).string();
    EXPECT_NEAR(run(r).critical_path_ns, mini_clock_to_output_ns + mini_nand_ns + mini_setup_ns,
                1e-6)
        << choice;
    EXPECT_TRUE(contains(base::read_file(r.target), choice));
  }
}

TEST_F(SynthTest, UnitsOfTheLibraryDoNotMatter) {
  Request r = request("nand_stage", nand_verilog);
  r.target = mini();
  const Result nano = run(r);
  r.target = mini(
      {.time_unit = "1ps", .time_scale = 1000, .capacitance_unit = "ff", .capacitance_scale = 1});
  const Result pico = run(r);
  EXPECT_NEAR(pico.critical_path_ns, nano.critical_path_ns, 1e-6);
  EXPECT_NEAR(pico.abc_delay_ns, nano.abc_delay_ns, 1e-4);
  EXPECT_EQ(pico.area_um2, nano.area_um2);
  EXPECT_EQ(pico.load_ff, nano.load_ff);
}

TEST_F(SynthTest, FlipFlopsMayHaveOnlyAnInvertedOutput) {
  Request r = request("word", register_verilog);
  r.target = mini({.inverted_flip_flop = true});
  const Result result = run(r);
  EXPECT_EQ(result.registers, 8U);
  EXPECT_DOUBLE_EQ(result.area_um2, 8 * (mini_dff_area + mini_inv_area));
  EXPECT_NEAR(result.critical_path_ns, mini_clock_to_output_ns + mini_inv_ns, 1e-6);
}

TEST_F(SynthTest, OpenStaAndAbcAgreeOnLogic) {
  Request r = request("adder",
                      "module adder (input [15:0] a_i, b_i, output [15:0] y_o);\n"
                      "  assign y_o = a_i + b_i;\nendmodule\n");
  const Result result = run(r);
  EXPECT_EQ(result.registers, 0U);
  EXPECT_GT(result.abc_delay_ns, 0.5);
  EXPECT_NEAR(result.critical_path_ns, result.abc_delay_ns, 0.06 * result.abc_delay_ns);
  EXPECT_TRUE(result.path.start.starts_with("a_i[") || result.path.start.starts_with("b_i["));
  EXPECT_TRUE(result.path.end.starts_with("y_o["));
}

// ABC gets the period in picoseconds: one that is far away costs no area, one that is missed does.
TEST_F(SynthTest, AShortClockPeriodBuysSpeedWithArea) {
  Request r = request("mac",
                      "module mac (input [7:0] a_i, b_i, c_i, output [15:0] y_o);\n"
                      "  assign y_o = a_i * b_i + c_i;\nendmodule\n");
  r.clock_ns = 50;
  const Result relaxed = run(r);
  r.clock_ns = 1;
  const Result hurried = run(r);
  EXPECT_LT(relaxed.area_um2, hurried.area_um2);
  EXPECT_LE(hurried.critical_path_ns, relaxed.critical_path_ns);
}

// Such outputs become assignments, which OpenSTA only reads bit by bit.
TEST_F(SynthTest, OutputsMayShareADriver) {
  const Request r = request("shared", R"(
module shared (input clk_i, input [1:0] d_i, output [5:0] y_o);
  reg [1:0] q;
  always @(posedge clk_i) q <= d_i;
  assign y_o = {{3{q[1]}}, q[0], q};
endmodule
)");
  const Result result = run(r);
  EXPECT_EQ(result.registers, 2U);
  EXPECT_GT(result.critical_path_ns, 0.1);
}

TEST_F(SynthTest, TellsWhatEachModuleContributes) {
  const Request r = request("top", std::string(register_verilog) + R"(
module top (input clk_i, input [11:0] d_i, output [11:0] q_o, output reg p_q);
  word #(.WIDTH(4)) a (.clk_i(clk_i), .d_i(d_i[3:0]), .q_o(q_o[3:0]));
  word u (.clk_i(clk_i), .d_i(d_i[11:4]), .q_o(q_o[11:4]));
  always @(posedge clk_i) p_q <= d_i[0];
endmodule
)");
  const Result result = run(r);
  const std::map<std::string, ModuleUse> expected{{"top", {1, 1, 1, 96}},
                                                  {"word", {2, 12, 12, 12 * 96}}};
  EXPECT_EQ(result.by_module, expected);
  // Flat synthesis sees that p_q is a copy of q_o[0].
  EXPECT_EQ(result.registers, 12U);
}

// ---- what a design may not contain

TEST_F(SynthTest, NamesCellsWithoutAnArea) {
  const Request r = request("latch", R"(
module latch (input enable_i, input [3:0] d_i, output reg [3:0] q_o);
  always @* if (enable_i) q_o = d_i;
endmodule
)");
  const std::string text = message<UserError>(r);
  EXPECT_TRUE(contains(text, "4 x $_DLATCH_P_")) << text;
  EXPECT_TRUE(contains(text, "describes latches")) << text;
  EXPECT_FALSE(exists("report.json"));

  Request by_hand = request("latch_cell",
                            "(* blackbox *) module LATCH (input CLK, D, output Q);\n"
                            "endmodule\n"
                            "module latch_cell (input e, d, output q);\n"
                            "  LATCH l (.CLK(e), .D(d), .Q(q));\nendmodule\n");
  const std::string zero = message<UserError>(by_hand);
  EXPECT_TRUE(contains(zero, "1 x LATCH")) << zero;
}

TEST_F(SynthTest, SaysSoWhenTheLibraryHasNoFlipFlop) {
  Request r = request("word", register_verilog);
  r.target = mini({.flip_flop = false});
  EXPECT_TRUE(contains(message<UserError>(r), "has registers, and no cell of target"));
  // Without registers it does.
  r = request("adder",
              "module adder (input [3:0] a_i, b_i, output [3:0] y_o);\n"
              "  assign y_o = a_i + b_i;\nendmodule\n");
  r.target = mini({.flip_flop = false});
  EXPECT_GT(run(r).cells, 0U);
}

TEST_F(SynthTest, WrongVerilogIsShownInTheUsersFile) {
  const Request r = request("broken",
                            "module broken (input a_i, output y_o);\n"
                            "  assign y_o = a_i +;\nendmodule\n");
  const std::string text = message<UserError>(r);
  EXPECT_TRUE(text.starts_with((directory_ / "broken.v").string() + ":2: syntax error")) << text;
  EXPECT_TRUE(contains(
      message<UserError>(request("user", "module user; missing m (); endmodule\n")), "missing"));
  Request no_top = request("word", register_verilog);
  no_top.top = "wordy";
  EXPECT_TRUE(contains(message<UserError>(no_top), "`wordy' not found"));
  Request no_parameter = request("word", register_verilog);
  no_parameter.parameters = {{"WIDE", "4"}};
  EXPECT_TRUE(contains(message<UserError>(no_parameter), "WIDE"));
}

TEST_F(SynthTest, RefusesWrongRequests) {
  Request r = request("word", register_verilog);
  r.parameters = {{"WIDTH", "4; shell rm"}};
  EXPECT_TRUE(contains(message<UserError>(r), "neither an integer nor a sized literal"));
  r = request("word", register_verilog);
  r.top = "word -flatten";
  EXPECT_TRUE(contains(message<UserError>(r), "not a Verilog identifier"));
  r = request("word", register_verilog);
  r.verilog.push_back(directory_ / "missing.v");
  EXPECT_TRUE(contains(message<UserError>(r), "missing.v"));
  r.verilog.clear();
  EXPECT_TRUE(contains(message<UserError>(r), "no Verilog files"));
}

TEST_F(SynthTest, WarnsOfRegistersWithoutAClock) {
  const Request r = request("ripple", R"(
module ripple (input clk_i, output reg a_q, output reg b_q);
  always @(posedge clk_i) a_q <= ~a_q;
  always @(posedge a_q) b_q <= ~b_q;
endmodule
)");
  const Result result = run(r);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_TRUE(contains(result.warnings[0], "1 registers have no clock")) << result.warnings[0];
}

TEST_F(SynthTest, ADesignWithoutCellsHasOnlyTheDelayOfItsDriver) {
  const Result result = run(request("wire_only",
                                    "module wire_only (input a_i, output y_o);\n"
                                    "  assign y_o = a_i;\nendmodule\n"));
  EXPECT_EQ(result.cells, 0U);
  EXPECT_EQ(result.area_um2, 0);
  EXPECT_LT(result.critical_path_ns, 0.05);  // the driving cell's, into the load
}

TEST_F(SynthTest, ManyFilesWithTroublesomeNames) {
  Request r = request("top",
                      "`include \"width.vh\"\n"
                      "module top (input clk_i, input [`W-1:0] d_i, output [`W-1:0] q_o);\n"
                      "  word #(.WIDTH(`W)) w (.clk_i(clk_i), .d_i(d_i), .q_o(q_o));\n"
                      "endmodule\n");
  fs::create_directory(directory_ / "sub dir");
  r.verilog.push_back(write("width.vh", "`define W 3\n"));
  r.verilog.push_back(write("sub dir/top.v", register_verilog));
  r.verilog.push_back(write("a; b$.sv", "module unused; logic x; endmodule\n"));
  EXPECT_EQ(run(r).registers, 3U);
}

// ---- reproducible and cached

TEST_F(SynthTest, CompressedLibrariesGiveTheSame) {
  Request r = request("nand_stage", nand_verilog);
  r.target = mini();
  const Result plain = run(r);
  r.target = write("mini.lib.gz", gzip(mini_library())).string();
  const Result packed = run(r);
  EXPECT_EQ(packed.area_um2, plain.area_um2);
  EXPECT_EQ(packed.critical_path_ns, plain.critical_path_ns);
  EXPECT_EQ(packed.by_cell, plain.by_cell);
}

TEST_F(SynthTest, TheKeptScriptsRepeatTheMeasurement) {
  Request r = request("top", std::string(register_verilog) +
                                 "module top (input clk_i, input [7:0] a_i, output [7:0] q_o);\n"
                                 "  word w (.clk_i(clk_i), .d_i(a_i + 8'd7), .q_o(q_o));\n"
                                 "endmodule\n");
  const Result result = run(r);
  const std::string netlist = read("netlist.v");
  const fs::path moved = directory_ / "moved away";
  fs::rename(output_directory(), moved);
  for (const char* product : {"netlist.v", "area.txt", "clocks.txt", "sta.log", "hierarchy.json"})
    EXPECT_TRUE(fs::remove(moved / product)) << product;

  base::Command command;
  command.argv = {"sh", (moved / "run.sh").string()};
  const auto again = base::run_process(command);
  base::check(again);
  EXPECT_TRUE(contains(again.output_tail, fmt::format("{:.6f}", result.area_um2)))
      << again.output_tail;
  const auto slack = again.output_tail.find("worst slack ");
  ASSERT_NE(slack, std::string::npos) << again.output_tail;
  EXPECT_DOUBLE_EQ(std::stod(again.output_tail.substr(slack + 12)), result.slack_ns);
  EXPECT_EQ(base::read_file(moved / "netlist.v"), netlist);
  EXPECT_TRUE(fs::exists(moved / "hierarchy.json"));
}

TEST_F(SynthTest, TheSameAgainComesFromTheCache) {
  Request r = request("nand_stage", nand_verilog);
  r.cache_directory = directory_ / "cache";
  const Result first = run(r);
  EXPECT_FALSE(first.cached);
  const std::string netlist = read("netlist.v");

  fs::remove_all(r.output_directory);
  const Result second = run(r);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(numbers(second), numbers(first));
  EXPECT_EQ(read("netlist.v"), netlist);
  EXPECT_TRUE(exists("run.sh") && exists("synth.log") && exists("synth_sources/nand_stage.v"));
  EXPECT_EQ(nlohmann::json::parse(read("report.json")).at("cached"), true);

  const fs::path entry = fs::directory_iterator(r.cache_directory)->path();
  base::write_file_atomic(entry, base::read_file(entry).substr(0, 1000));
  const Result repaired = run(r);
  EXPECT_FALSE(repaired.cached);
  EXPECT_EQ(numbers(repaired), numbers(first));
  EXPECT_TRUE(run(r).cached);

  // The number of MACs only divides; everything else makes another entry.
  r.macs = 4;
  EXPECT_TRUE(run(r).cached);
  r.clock_ns = 4;
  EXPECT_FALSE(run(r).cached);
  base::write_file_atomic(r.verilog[0], std::string(nand_verilog) + "// changed\n");
  EXPECT_FALSE(run(r).cached);
}

// Without files of the run an entry is none, whoever made it.
TEST_F(SynthTest, AnEntryOfTheCacheThatLacksAFileCountsAsMissing) {
  Request r = request("nand_stage", nand_verilog);
  r.cache_directory = directory_ / "cache";
  const Result first = run(r);
  const std::string key = fs::directory_iterator(r.cache_directory)->path().stem();
  FileSet entry = Cache(r.cache_directory).find(key).value();
  entry.erase(files::clocks);
  Cache(r.cache_directory).store(key, entry);
  const Result repaired = run(r);
  EXPECT_FALSE(repaired.cached);
  EXPECT_EQ(numbers(repaired), numbers(first));
  EXPECT_TRUE(exists(files::clocks));
}

/// A process of its own that runs a request; its status is 0 if the numbers are `expected` and the
/// folder holds the run's own netlist when it is over.
pid_t run_apart(const Request& request, const nlohmann::ordered_json& expected,
                const std::string& netlist) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int status = 1;
  try {
    Request own = request;
    own.held_directory = hold_folder(request.output_directory, {});
    const bool same = numbers(run(own)) == expected;
    status = same && base::read_file(request.output_directory / files::netlist) == netlist ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  ::_exit(status);
}

TEST_F(SynthTest, RunsThatShareAFolderWaitForEachOther) {
  // The same top, otherwise different.
  std::array<Request, 2> requests{request("word", register_verilog),
                                  request("word", register_verilog)};
  fs::create_directory(directory_ / "other");
  requests[1].verilog = {write("other/word.v",
                               "module word (input clk_i, input [7:0] a_i, output reg [7:0] y_o);\n"
                               "  always @(posedge clk_i) y_o <= a_i * a_i;\nendmodule\n")};
  std::array<nlohmann::ordered_json, 2> alone;
  std::array<std::string, 2> netlists;
  for (const std::size_t i : {0U, 1U}) {
    alone[i] = numbers(run(requests[i]));
    netlists[i] = read("netlist.v");
    requests[i].cache_directory = directory_ / "cache";
  }
  ASSERT_NE(netlists[0], netlists[1]);
  std::array<pid_t, 2> children{};
  for (const std::size_t i : {0U, 1U}) children[i] = run_apart(requests[i], alone[i], netlists[i]);
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  // Nor did one of them put files of the other into the cache.
  for (const std::size_t i : {0U, 1U}) {
    const Result cached = run(requests[i]);
    EXPECT_TRUE(cached.cached);
    EXPECT_EQ(numbers(cached), alone[i]);
    EXPECT_EQ(read("netlist.v"), netlists[i]);
  }
  EXPECT_FALSE(exists(".lock"));
}

TEST_F(SynthTest, RunsOfOneProcessThatShareAFolderWaitToo) {
  auto other = hold_folder(output_directory(), {});
  Request r = request("nand_stage", nand_verilog);
  std::atomic<bool> waits = false;
  r.progress = [&](std::string_view text) { waits = waits || text.starts_with("waiting"); };
  auto later = std::async(std::launch::async, [&] { return run(r).cells; });
  EXPECT_EQ(later.wait_for(std::chrono::milliseconds(300)), std::future_status::timeout);
  EXPECT_TRUE(waits);
  EXPECT_FALSE(exists("synth.ys"));
  r.held_directory = other;
  r.progress = nullptr;
  const auto cells = run(r).cells;  // who holds the folder need not wait
  r.held_directory.reset();
  other.reset();
  EXPECT_EQ(later.get(), cells);
}

TEST_F(SynthTest, ACacheThatCannotBeWrittenOnlyWarns) {
  Request r = request("nand_stage", nand_verilog);
  r.cache_directory = write("file", "not a directory");
  testing::internal::CaptureStderr();
  const Result result = run(r);
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(contains(told, "cannot be written")) << told;
  EXPECT_TRUE(result.warnings.empty());  // it says nothing about the design
  EXPECT_GT(result.area_um2, 0);
}

// ---- tools that fail

class FakeToolTest : public SynthTest {
 protected:
  FakeToolTest() {
    fs::create_directory(directory_ / "bin");
    path_ = std::getenv("PATH");
    ::setenv("PATH", ((directory_ / "bin").string() + ":" + path_).c_str(), 1);
  }
  ~FakeToolTest() override { ::setenv("PATH", path_.c_str(), 1); }

  /// Puts a script before the real tool. It sees the real tool as $REAL.
  void fake(const std::string& name, const std::string& body) const {
    const auto real = base::find_tool(name);
    const auto script =
        write("bin/" + name, fmt::format("#!/bin/sh\nREAL={}\n{}\n", real.string(), body));
    fs::permissions(script, fs::perms::owner_all);
  }

  std::string path_;
};

TEST_F(FakeToolTest, MissingTool) {
  ::setenv("PATH", (directory_ / "bin").c_str(), 1);
  EXPECT_EQ(message<ToolError>(request("word", register_verilog)),
            "yosys is not installed (Debian package yosys)");
}

TEST_F(FakeToolTest, OldTool) {
  fake("yosys", "echo 'Yosys 0.9 (git sha1 1979e0b)'");
  EXPECT_TRUE(contains(message<ToolError>(request("word", register_verilog)),
                       "yosys 0.9 is too old: 0.23 or newer is needed"));
}

TEST_F(FakeToolTest, KilledTool) {
  fake("yosys", "[ \"$1\" = -V ] && exec $REAL -V; echo working; kill -9 $$");
  const std::string text = message<ToolError>(request("word", register_verilog));
  EXPECT_TRUE(contains(text, "yosys was killed, probably out of memory")) << text;
  EXPECT_TRUE(contains(text, "synth.log")) << text;
  EXPECT_TRUE(exists("synth.log") && exists("run.sh"));
}

TEST_F(FakeToolTest, KilledAbcInsideYosys) {
  fake("berkeley-abc", R"(case "$*" in *version*) exec $REAL "$@";; esac; kill -9 $$)");
  const Request r = request("adder",
                            "module adder (input [3:0] a_i, output [3:0] y_o);\n"
                            "  assign y_o = a_i + 4'd3;\nendmodule\n");
  const std::string text = message<ToolError>(r);
  EXPECT_TRUE(contains(text, "abc was killed, probably out of memory") ||
              contains(text, "berkeley-abc was killed, probably out of memory"))
      << text;
}

// OpenSTA goes on after a syntax error in the netlist and exits with status 0.
TEST_F(FakeToolTest, TimingAnalysisThatReportsAnError) {
  fake("sta",
       "[ \"$1\" = -version ] && exec $REAL -version\n"
       "sed -i 's/endmodule/assign {a, b} = 2;\\nendmodule/' netlist.v\nexec $REAL \"$@\"");
  const std::string text = message<ToolError>(request("word", register_verilog));
  EXPECT_TRUE(contains(text, "syntax error")) << text;
  EXPECT_TRUE(contains(text, "sta.log")) << text;
  EXPECT_FALSE(exists("report.json"));
  EXPECT_FALSE(exists("netlist.v"));
}

TEST_F(FakeToolTest, AFailedRunLeavesNoOldResult) {
  run(request("word", register_verilog));
  EXPECT_TRUE(exists("report.json") && exists("netlist.v"));
  fake("sta", "[ \"$1\" = -version ] && exec $REAL -version; exit 9");
  EXPECT_TRUE(contains(message<ToolError>(request("word", register_verilog)), "exit status 9"));
  EXPECT_FALSE(exists("report.json") || exists("netlist.v") || exists("library.lib"));
  EXPECT_TRUE(exists("synth.log") && exists("sta.log"));
}

TEST_F(FakeToolTest, TimeLimit) {
  fake("sta", "[ \"$1\" = -version ] && exec $REAL -version; sleep 100");
  Request r = request("word", register_verilog);
  r.timeout = std::chrono::seconds(3);
  EXPECT_TRUE(contains(message<ToolError>(r), "sta was stopped: it ran longer than 3 s"));
}

TEST_F(FakeToolTest, InterruptionLeavesNothing) {
  const fs::path started = directory_ / "started";
  fake("sta", "[ \"$1\" = -version ] && exec $REAL -version; echo x > " + started.string() +
                  "; sleep 100");
  const Request r = request("word", register_verilog);
  const pid_t weft = ::fork();
  if (weft == 0) {
    base::catch_interrupts();
    try {
      run(r);
    } catch (const base::Interrupted& interrupted) {
      ::_exit(128 + interrupted.signal);
    }
    ::_exit(0);
  }
  for (int i = 0; i < 1000 && !fs::exists(started); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::kill(weft, SIGTERM);
  int status = 0;
  ::waitpid(weft, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM);
  EXPECT_TRUE(fs::is_empty(output_directory()));
}

TEST(Period, ReadsTimes) {
  EXPECT_DOUBLE_EQ(parse_period("5ns"), 5);
  EXPECT_DOUBLE_EQ(parse_period("2.5"), 2.5);
  EXPECT_DOUBLE_EQ(parse_period("800ps"), 0.8);
  EXPECT_DOUBLE_EQ(parse_period(" 800 ps "), 0.8);
  EXPECT_DOUBLE_EQ(parse_period("0.002us"), 2);
  EXPECT_DOUBLE_EQ(parse_period(".5"), 0.5);
  for (const char* wrong :
       {"", "0", "-1", "5 s", "ns", "5nss", "1e3", "nan", "0.5ps", "1001us", "5,0"})
    EXPECT_THROW(parse_period(wrong), UserError) << wrong;
}

}  // namespace
}  // namespace weft::synth
