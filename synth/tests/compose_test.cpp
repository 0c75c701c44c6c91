// SPDX-License-Identifier: Apache-2.0
#include "synth/compose.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
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
  EXPECT_EQ(composition.blocks.size(), 1U);
  request_.by_module = false;
  const Result flat = run(request_);
  EXPECT_TRUE(flat.cached);
  EXPECT_DOUBLE_EQ(composition.result.area_um2, flat.area_um2);
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
