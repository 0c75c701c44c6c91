// SPDX-License-Identifier: Apache-2.0
#include "synth/compose.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "synth/composition_report.h"
#include "synth/tests/mini_library.h"
#include "synth/tests/temporary_directory.h"
#include "synth/treemap.h"

namespace weft::synth {
namespace {

namespace fs = std::filesystem;

// Lane i of the triangle is delayed by i cycles: LANES * (LANES - 1) / 2 registers.
constexpr const char* triangle_ports = R"(
module triangle #(parameter LANES = 64) (
  input wire clk_i, input wire [LANES-1:0] data_i, output wire [LANES-1:0] data_o);
)";
constexpr const char* triangle_body = R"(
  assign data_o[0] = data_i[0];
  genvar i;
  generate for (i = 1; i < LANES; i = i + 1) begin : lane
    reg [i-1:0] line_q;
    always @(posedge clk_i) line_q <= {line_q, data_i[i]};
    assign data_o[i] = line_q[i-1];
  end endgenerate
endmodule
)";
constexpr const char* triangle_top = R"(
module top #(parameter LANES = 64) (
  input wire clk_i, input wire [LANES-1:0] data_i, output wire [LANES-1:0] data_o);
  triangle #(.LANES(LANES)) u_triangle (.clk_i(clk_i), .data_i(data_i), .data_o(data_o));
endmodule
)";

// Registers, then a gate in a block of its own, then registers.
constexpr const char* gate_ports = R"(
module gate #(parameter WIDTH = 4) (
  input wire [WIDTH-1:0] a_i, input wire [WIDTH-1:0] b_i, output wire [WIDTH-1:0] z_o);
)";
constexpr const char* gate_body = "  assign z_o = ~(a_i & (b_i ^ a_i ^ a_i));\nendmodule\n";
constexpr const char* gate_top = R"(
module top #(parameter WIDTH = 4) (
  input wire clk_i, input wire [3*WIDTH-1:0] a_i, input wire [3*WIDTH-1:0] b_i,
  output reg [3*WIDTH-1:0] z_o);
  reg [3*WIDTH-1:0] a_q, b_q;
  wire [3*WIDTH-1:0] z;
  genvar i;
  generate for (i = 0; i < 3; i = i + 1) begin : part
    gate #(.WIDTH(WIDTH)) u_gate (
      .a_i(a_q[i*WIDTH +: WIDTH]), .b_i(b_q[i*WIDTH +: WIDTH]), .z_o(z[i*WIDTH +: WIDTH]));
  end endgenerate
  always @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    z_o <= z;
  end
endmodule
)";

constexpr const char* memory_top = R"(
module top #(parameter WORDS = 64) (
  input wire clk_i, input wire write_i, input wire [5:0] at_i, input wire [7:0] data_i,
  output wire [7:0] data_o);
  reg [7:0] memory_q [0:WORDS-1];
  always @(posedge clk_i) if (write_i) memory_q[at_i] <= data_i;
  assign data_o = memory_q[at_i];
endmodule
)";

class ComposeTest : public ::testing::Test {
 protected:
  void write(const std::string& module, const std::string& text) {
    base::write_file_atomic(directory_ / (module + ".v"), text);
    request_.verilog.push_back(directory_ / (module + ".v"));
  }

  void SetUp() override {
    base::write_file_atomic(directory_ / "mini.lib", mini_library());
    request_.target = (directory_ / "mini.lib").string();
    request_.top = "top";
    request_.output_directory = directory_ / "out";
    request_.cache_directory = directory_ / "cache";
  }

  void make_triangle(std::int64_t lanes) {
    write("triangle", std::string(triangle_ports) + triangle_body);
    std::string top = triangle_top;
    top.replace(top.find("64"), 2, std::to_string(lanes));
    write("top", top);
    const std::vector<BlockPort> ports{{"clk_i", 1}, {"data_i", lanes}, {"data_o", lanes, false}};
    hierarchy_.modules = {{"top", {{{"LANES", lanes}}, "", {}}},
                          {"triangle",
                           {{{"LANES", 64}},
                            std::string(triangle_ports) + "endmodule\n",
                            {{"LANES", {4, 8, 12}, ""}}}}};
    hierarchy_.top = {
        "top",
        {"top"},
        "top",
        {{"LANES", lanes}},
        ports,
        1,
        {{"u_triangle", {"u_triangle"}, "triangle", {{"LANES", lanes}}, ports, 1, {}}}};
  }

  void make_gates() {
    write("gate", std::string(gate_ports) + gate_body);
    write("top", gate_top);
    hierarchy_.modules = {{"top", {{{"WIDTH", 4}}, "", {}}},
                          {"gate", {{{"WIDTH", 4}}, std::string(gate_ports) + "endmodule\n", {}}}};
    hierarchy_.top = {"top",
                      {"top"},
                      "top",
                      {{"WIDTH", 4}},
                      {{"clk_i", 1}, {"a_i", 12}, {"b_i", 12}, {"z_o", 12, false}},
                      1,
                      {{"part.u_gate",
                        {"part[0].u_gate", "part[1].u_gate"},
                        "gate",
                        {{"WIDTH", 4}},
                        {{"a_i", 4}, {"b_i", 4}, {"z_o", 4, false}},
                        3,
                        {}}}};
  }

  /// The area that `sh run.sh` gives.
  [[nodiscard]] double shell_area() const {
    base::Command command;
    command.argv = {"sh", (directory_ / "out" / "run.sh").string()};
    const auto process = base::run_process(command);
    EXPECT_TRUE(process.ok()) << process.output_tail;
    static const std::regex area("(?:area |Chip area [^:]*: )([0-9.]+)");
    double value = -1;
    for (auto at =
             std::sregex_iterator(process.output_tail.begin(), process.output_tail.end(), area);
         at != std::sregex_iterator(); ++at)
      value = std::stod((*at)[1]);
    return value;
  }

  /// A Yosys that does `what` before it does anything for a design.
  std::string fake_yosys(const std::string& what) {
    const fs::path path = directory_ / "fake_yosys";
    base::write_file_atomic(
        path, "#!/bin/sh\n[ \"$1\" = -V ] && exec yosys -V\n" + what + "\nexec yosys \"$@\"\n");
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }

  /// The directory of a block's only run.
  [[nodiscard]] fs::path run_of(const std::string& module) const {
    for (const auto& entry : fs::directory_iterator(directory_ / "out" / "blocks"))
      if (entry.is_directory() && entry.path().filename().string().starts_with(module + "_"))
        return entry.path();
    return {};
  }

  /// What two runs must have in common.
  static nlohmann::ordered_json numbers(const Composition& composition) {
    nlohmann::ordered_json json = to_json(composition);
    for (const char* name : {"cached", "directory", "cpu_seconds", "peak_rss_mib"})
      json.erase(name);
    return json;
  }

  TemporaryDirectory directory_;
  Request request_;
  Hierarchy hierarchy_;
};

TEST_F(ComposeTest, ATriangleOfRegistersIsExtendedExactly) {
  make_triangle(64);
  const Composition composition = compose(request_, hierarchy_);
  constexpr std::uint64_t registers = 64 * 63 / 2;
  EXPECT_EQ(composition.result.registers, registers);
  EXPECT_EQ(composition.result.cells, registers);
  EXPECT_NEAR(composition.result.area_um2, registers * mini_dff_area, 1e-6);
  ASSERT_EQ(composition.blocks.size(), 2U);
  EXPECT_EQ(composition.blocks[0].key.module, "triangle");
  EXPECT_NEAR(composition.blocks[0].held_out.value_or(1), 0, 1e-9);
  EXPECT_NEAR(composition.result.critical_path_ns, mini_clock_to_output_ns + mini_setup_ns, 1e-3);
}

TEST_F(ComposeTest, APathThroughABlockWithoutRegistersIsWhole) {
  make_gates();
  const Composition composition = compose(request_, hierarchy_, {.together_gates = 10});
  EXPECT_EQ(composition.blocks.size(), 2U);
  EXPECT_EQ(composition.blocks[0].instances, 3);
  EXPECT_NEAR(composition.result.critical_path_ns,
              mini_clock_to_output_ns + mini_nand_ns + mini_setup_ns, 1e-3);
  const Result flat = run(request_);
  EXPECT_NEAR(composition.result.area_um2, flat.area_um2, 1e-6);
  EXPECT_EQ(composition.result.cells, flat.cells);
  EXPECT_EQ(composition.result.registers, flat.registers);
}

TEST_F(ComposeTest, WhatFitsIsSynthesisedAtOnceLikeFlat) {
  make_gates();
  const Composition composition = compose(request_, hierarchy_);
  EXPECT_TRUE(composition.at_once);
  EXPECT_EQ(composition.blocks.size(), 1U);
  EXPECT_EQ(shell_area(), composition.result.area_um2);
  const Result flat = run(request_);
  EXPECT_TRUE(flat.cached);
  auto composed = to_json(composition.result);
  composed["cached"] = true;
  EXPECT_EQ(composed, to_json(flat));
}

TEST_F(ComposeTest, TheScriptOfAComposedDesignGivesItsArea) {
  make_gates();
  const Composition gates = compose(request_, hierarchy_, {.together_gates = 10});
  EXPECT_FALSE(gates.at_once);
  EXPECT_NEAR(shell_area(), gates.result.area_um2, 1e-3);
  EXPECT_TRUE(fs::exists(directory_ / "out" / "report.json"));
}

TEST_F(ComposeTest, TheScriptExtendsAreasToo) {
  make_triangle(40);
  const Composition triangle = compose(request_, hierarchy_);
  EXPECT_NEAR(shell_area(), triangle.result.area_um2, 1e-3);
}

TEST_F(ComposeTest, SamplesThatBlocksHaveInCommonAreOneRun) {
  make_triangle(64);
  base::write_file_atomic(directory_ / "top.v", R"(
module top (
  input wire clk_i, input wire [63:0] a_i, input wire [39:0] b_i,
  output wire [63:0] a_o, output wire [39:0] b_o);
  triangle #(.LANES(64)) u_a (.clk_i(clk_i), .data_i(a_i), .data_o(a_o));
  triangle #(.LANES(40)) u_b (.clk_i(clk_i), .data_i(b_i), .data_o(b_o));
endmodule
)");
  hierarchy_.modules["top"].defaults.clear();
  hierarchy_.top.parameters.clear();
  hierarchy_.top.ports = {
      {"clk_i", 1}, {"a_i", 64}, {"b_i", 40}, {"a_o", 64, false}, {"b_o", 40, false}};
  Instance second = hierarchy_.top.children.front();
  hierarchy_.top.children.front().name = "u_a";
  second.name = "u_b";
  second.parameters["LANES"] = 40;
  for (BlockPort& port : second.ports)
    if (port.width == 64) port.width = 40;
  hierarchy_.top.children.push_back(second);
  const Composition composition = compose(request_, hierarchy_);
  EXPECT_EQ(composition.result.registers, 64U * 63 / 2 + 40U * 39 / 2);
  EXPECT_NEAR(shell_area(), composition.result.area_um2, 1e-3);
  int runs = 0;
  for (const auto& entry : fs::directory_iterator(directory_ / "out" / "blocks"))
    runs += entry.is_directory() ? 1 : 0;
  EXPECT_EQ(runs, 3 + 1 + 1);  // three samples, one size between, the top
}

TEST_F(ComposeTest, SamplesCanBeSmaller) {
  make_triangle(10);
  EXPECT_TRUE(compose(request_, hierarchy_).at_once);
  const Composition extended = compose(request_, hierarchy_, {.largest_sample = 6});
  ASSERT_EQ(extended.blocks.size(), 2U);
  EXPECT_EQ(extended.blocks[0].extended_from, "LANES = 4, 6, 7");
  EXPECT_EQ(extended.result.registers, 10U * 9 / 2);
}

TEST_F(ComposeTest, MemoriesAreModelledOrRegisters) {
  write("top", memory_top);
  hierarchy_.modules = {{"top", {{{"WORDS", 64}}, "", {}}}};
  hierarchy_.top = {"top", {"top"}, "top", {{"WORDS", 64}}, {}, 1, {}};
  const Composition small = compose(request_, hierarchy_);
  EXPECT_EQ(small.result.registers, 64U * 8);
  EXPECT_TRUE(small.memories.empty());
  const Composition modelled = compose(request_, hierarchy_, {.memories = Memories::model});
  EXPECT_EQ(modelled.result.registers, 0U);
  ASSERT_EQ(modelled.memories.size(), 1U);
  const MemoryUse& use = modelled.memories.front();
  EXPECT_EQ(use.instances, 1);
  EXPECT_EQ(use.shape, (MemoryShape{64, 8, 1, 1, 0, 6}));
  EXPECT_NEAR(modelled.result.area_um2, use.cost.area_um2, 0.1 * use.cost.area_um2);
  EXPECT_NEAR(modelled.result.critical_path_ns, use.cost.access_ns, 1e-3);
}

TEST_F(ComposeTest, TheSameTwiceIsTheSameAndCached) {
  make_triangle(40);
  const Composition first = compose(request_, hierarchy_);
  request_.output_directory = directory_ / "elsewhere";
  const Composition second = compose(request_, hierarchy_);
  EXPECT_FALSE(first.result.cached);
  EXPECT_TRUE(second.result.cached);
  EXPECT_EQ(numbers(first), numbers(second));
}

// A library memory of 64 words of 8 bits that reads without a clock.
constexpr const char* macro_library_text = R"(
library (macros) {
  time_unit : "1ns"; voltage_unit : "1V"; capacitive_load_unit (1, pf);
  type (word) { base_type : array; bit_width : 8; }
  cell (RAM64X8) {
    area : 1234;
    memory () { type : ram; address_width : 6; word_width : 8; }
    pin (clk) { direction : input; clock : true;
      internal_power () { rise_power (scalar) { values ("2.5"); } } }
    bus (q) { bus_type : word; direction : output;
      memory_read () { address : ra; }
      timing () { related_pin : "ra"; cell_rise (scalar) { values ("1.75"); } } }
    bus (d) { bus_type : word; direction : input;
      memory_write () { address : wa; }
      timing () { related_pin : "clk"; timing_type : setup_rising;
        rise_constraint (scalar) { values ("0.25"); } } }
  }
}
)";

TEST_F(ComposeTest, AMacroOfTheUsersStandsForAMemory) {
  write("top", memory_top);
  base::write_file_atomic(directory_ / "macros.lib", macro_library_text);
  hierarchy_.modules = {{"top", {{{"WORDS", 64}}, "", {}}}};
  hierarchy_.top = {"top", {"top"}, "top", {{"WORDS", 64}}, {}, 1, {}};
  const Composition composition =
      compose(request_, hierarchy_,
              {.memories = Memories::model, .macro_libraries = {directory_ / "macros.lib"}});
  ASSERT_EQ(composition.memories.size(), 1U);
  EXPECT_EQ(composition.memories.front().cost.source, "RAM64X8");
  EXPECT_NEAR(composition.result.area_um2, 1234, 60);  // and some gates
  EXPECT_NEAR(composition.result.critical_path_ns, 1.75, 1e-3);
  EXPECT_TRUE(composition.result.warnings.empty());
  const std::string text = to_text(composition);
  EXPECT_NE(text.find("64 x 8, 1 read, 1 write"), std::string::npos) << text;
  EXPECT_NE(text.find("2.5  RAM64X8"), std::string::npos) << text;
}

TEST_F(ComposeTest, ABlockWhoseYosysDiesIsNamedAndTheOthersAreKept) {
  make_gates();
  request_.yosys = fake_yosys("case $PWD in */top_*) kill -9 $$;; esac");
  try {
    compose(request_, hierarchy_, {.together_gates = 10});
    FAIL() << "no error";
  } catch (const ToolError& error) {
    EXPECT_NE(std::string(error.what()).find("block top WIDTH=4: "), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("synth.log"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(fs::exists(directory_ / "out" / "report.json"));
  EXPECT_FALSE(fs::exists(directory_ / "out" / "run.sh"));
  const fs::path gate = run_of("gate");
  EXPECT_TRUE(fs::exists(gate / "report.json"));
  fs::remove_all(directory_ / "out");
  request_.yosys = "yosys";
  const Composition after = compose(request_, hierarchy_, {.together_gates = 10});
  request_.cache_directory = directory_ / "other_cache";
  EXPECT_EQ(numbers(after), numbers(compose(request_, hierarchy_, {.together_gates = 10})));
}

TEST_F(ComposeTest, AnInterruptLeavesNothingButFinishedBlocksInTheCache) {
  make_gates();
  const fs::path started = directory_ / "started";
  request_.yosys =
      fake_yosys("case $PWD in */top_*) echo x > " + started.string() + "; sleep 100;; esac");
  const pid_t weft = ::fork();
  if (weft == 0) {
    base::catch_interrupts();
    try {
      compose(request_, hierarchy_, {.together_gates = 10});
    } catch (const base::Interrupted& interrupted) {
      ::_exit(128 + interrupted.signal);
    }
    ::_exit(0);
  }
  for (int i = 0; i < 3000 && !fs::exists(started); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::kill(weft, SIGINT);
  int status = 0;
  ::waitpid(weft, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  EXPECT_TRUE(fs::is_empty(directory_ / "out"));
  request_.yosys = "yosys";
  const Composition after = compose(request_, hierarchy_, {.together_gates = 10});
  request_.cache_directory = directory_ / "other_cache";
  EXPECT_EQ(numbers(after), numbers(compose(request_, hierarchy_, {.together_gates = 10})));
}

TEST_F(ComposeTest, AToolThatTakesTooLongIsToldWithItsBlockAndPoisonsNothing) {
  make_triangle(40);
  request_.timeout = std::chrono::milliseconds(1);
  EXPECT_THROW(compose(request_, hierarchy_), ToolError);
  request_.timeout = std::chrono::milliseconds(0);
  request_.memory_limit_bytes = 0;
  EXPECT_EQ(compose(request_, hierarchy_).result.registers, 40U * 39 / 2);
}

TEST_F(ComposeTest, ABlockThatFailsIsNamedAndItsLogKept) {
  make_triangle(40);
  // Elaborates at the real size, which nobody looks at, but not at the samples.
  base::write_file_atomic(directory_ / "triangle.v",
                          std::string(triangle_ports) +
                              "  generate if (LANES < 20) begin : small\n"
                              "    missing u_missing (.clk_i(clk_i));\n  end endgenerate\n" +
                              triangle_body);
  try {
    compose(request_, hierarchy_);
    FAIL() << "no error";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("missing"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(fs::exists(directory_ / "out" / "blocks" / "netlist.v"));
}

TEST_F(ComposeTest, TheTreemapDrawsEachModule) {
  make_gates();
  const std::string svg = treemap_svg(compose(request_, hierarchy_, {.together_gates = 10}));
  EXPECT_NE(svg.find("part.u_gate (gate) x 3"), std::string::npos);
  EXPECT_NE(svg.find("own logic"), std::string::npos);
}

}  // namespace
}  // namespace weft::synth
