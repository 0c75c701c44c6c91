// SPDX-License-Identifier: Apache-2.0
// Emitted modules do what they were built to do, in a simulator.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "rtl_gen/hdl/hdl.h"
#include "rtl_gen/hdl/tests/example_modules.h"
#include "rtl_gen/hdl/tests/tool_run.h"

namespace weft::rtl::hdl::test {
namespace {

/// Output lines of the bench under Icarus.
std::istringstream simulate(const Design& design, const std::string& bench) {
  const ScratchDirectory scratch;
  for (const auto& [name, text] : design.render()) scratch.write(name, text);
  scratch.write("bench.v", bench);
  const ToolRun result = run(scratch.path(), "iverilog -g2005 -y . -o sim bench.v && vvp -n sim");
  EXPECT_EQ(result.status, 0) << result.output;
  return std::istringstream(result.output);
}

TEST(Behaviour, FifoOfOddDepthIsAQueue) {
  for (const std::size_t depth : {2, 5, 8}) {
    Design design;
    add_fifo(design);
    std::mt19937 random(7);
    std::string steps;
    std::vector<std::array<unsigned, 3>> stimuli;  // valid, data, ready
    for (int t = 0; t < 300; ++t) {
      const auto draw = [&](std::uint32_t below) {
        return static_cast<unsigned>(random() % below);
      };
      stimuli.push_back({draw(2), draw(256), draw(3) == 0 || t > 150 ? 1U : 0U});
      const auto& [valid, data, ready] = stimuli.back();
      steps +=
          fmt::format("valid = {}; data = {}; ready = {}; #1 show; tick;\n", valid, data, ready);
    }
    auto output = simulate(design, fmt::format(R"(module bench;
reg clk = 0, rst_n = 0, valid = 0, ready = 0;
reg [7:0] data = 0;
wire ready_o, valid_o;
wire [7:0] data_o;
example_fifo #(.DEPTH({})) u_dut (.clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .ready_o(ready_o),
  .data_i(data), .valid_o(valid_o), .ready_i(ready), .data_o(data_o));
task tick; begin #1 clk = 1; #1 clk = 0; end endtask
task show; $display("%0d %0d %0d", ready_o, valid_o, valid_o ? data_o : 0); endtask
initial begin
tick; rst_n = 1;
{}end
endmodule
)",
                                               depth, steps));
    std::deque<unsigned> queue;
    for (const auto& [valid, data, ready] : stimuli) {
      unsigned ready_out = 9, valid_out = 9, data_out = 999;
      ASSERT_TRUE(output >> ready_out >> valid_out >> data_out);
      ASSERT_EQ(ready_out, queue.size() < depth);
      ASSERT_EQ(valid_out, !queue.empty());
      ASSERT_EQ(data_out, queue.empty() ? 0 : queue.front());
      const bool push = valid != 0 && queue.size() < depth;
      if (ready != 0 && !queue.empty()) queue.pop_front();
      if (push) queue.push_back(data);
    }
  }
}

TEST(Behaviour, SkewDelaysLaneRByRCycles) {
  constexpr int rows = 5;
  Design design;
  add_skew(design);
  std::mt19937 random(11);
  std::vector<std::uint32_t> beats;
  std::string steps;
  for (int t = 0; t < 40; ++t) {
    beats.push_back(static_cast<std::uint32_t>(random() % (1U << (rows * 4))));
    steps += fmt::format("data = {}; #1 $display(\"%0d\", out); #1 clk = 1; #1 clk = 0;\n",
                         beats.back());
  }
  auto output = simulate(design, fmt::format(R"(module bench;
reg clk = 0;
reg [19:0] data = 0;
wire [19:0] out;
example_skew #(.ROWS(5), .WIDTH(4)) u_dut (.clk_i(clk), .enable_i(1'b1), .data_i(data), .data_o(out));
initial begin
{}end
endmodule
)",
                                             steps));
  for (std::size_t t = 0; t < beats.size(); ++t) {
    std::string printed;
    ASSERT_TRUE(output >> printed);
    if (t < rows - 1) continue;  // lanes that nothing has reached yet are x
    std::uint32_t expected = 0;
    for (std::size_t r = 0; r < rows; ++r) expected |= beats[t - r] & (0xfU << (4 * r));
    ASSERT_EQ(std::stoul(printed), expected) << t;
  }
}

}  // namespace
}  // namespace weft::rtl::hdl::test
