// SPDX-License-Identifier: Apache-2.0
// Arrays with gated clocks against the same arrays without, side by side in a four-state simulator:
// what a stopped clock must not leave behind shows as a difference, or as an unknown bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "arch/config.h"
#include "base/tests/run_seed.h"
#include "rtl_gen/array/tensor_array.h"
#include "rtl_gen/hdl/tests/lint.h"
#include "rtl_gen/hdl/tests/tool_run.h"

namespace weft::rtl {
namespace {

/// One of both arrays in the bench; its outputs are numbered.
std::string instance(const std::string& module, int number) {
  return fmt::format(
      "  {0} u{1}(.clk_i(clk), .rst_ni(rst), .stationary_valid_i(sv), .stationary_ready_o(sr{1}),\n"
      "    .stationary_data_i(sd), .moving_valid_i(mv), .moving_ready_o(mr{1}), "
      ".moving_data_i(md),\n"
      "    .moving_tag_i(mt), .moving_last_i(ml), .result_valid_o(rv{1}), .result_ready_i(rr),\n"
      "    .result_data_o(rd{1}), .result_tag_o(rt{1}), .result_last_o(rl{1}));\n",
      module, number);
}

/// Random beats, pauses, back pressure and resets at any time; prints how many results were seen
/// and how often the arrays differed.
std::string bench(const arch::TensorArray& array, unsigned seed) {
  const int stationary =
      array.cols * array.macs_per_pe * array.stationary_format.bits * array.load_rows_per_cycle;
  const int moving = array.rows * array.macs_per_pe * array.moving_format.bits;
  std::string text = fmt::format(
      "module bench;\n  reg clk, rst, sv, mv, ml, rr;\n  reg [{}:0] sd;\n  reg [{}:0] md;\n"
      "  reg [{}:0] mt;\n  wire sr0, mr0, rv0, rl0, sr1, mr1, rv1, rl1;\n"
      "  wire [{}:0] rd0, rd1;\n  wire [{}:0] rt0, rt1;\n  integer seed, i, busy, results, bad;\n",
      stationary - 1, moving - 1, array.tag_width - 1, array.cols * array.accumulator_width - 1,
      array.tag_width - 1);
  text += instance("plain", 0) + instance("gated", 1);
  text += fmt::format(
      "  function chance(input integer percent);\n"
      "    chance = $dist_uniform(seed, 0, 99) < percent;\n  endfunction\n"
      "  initial begin\n    seed = {};\n    results = 0; bad = 0; busy = 50; clk = 0; rst = 0;\n"
      "    for (i = 0; i < 3000; i = i + 1) begin\n",
      seed);
  return text + R"(
      if (chance(1)) busy = $dist_uniform(seed, 0, 4) * 25;
      rst = i > 3 && (rst ? !chance(1) : chance(50));
      sv = chance(busy); mv = chance(busy); ml = chance(15); rr = chance(85);
      mt = $random(seed); sd = {8{$random(seed)}}; md = {8{$random(seed)}};
      #5;
      if (rst) begin
        if ({sr0, mr0, rv0} !== {sr1, mr1, rv1} || rv0 === 1'bx) bad = bad + 1;
        if (rv0) begin
          results = results + 1;
          if ({rd0, rt0, rl0} !== {rd1, rt1, rl1}) bad = bad + 1;
        end
      end
      clk = 1; #5 clk = 0;
    end
    $write("%0d %0d", results, bad);
  end
endmodule
)";
}

TEST(GatedClocks, ChangeNothing) {
  std::mt19937_64 random(weft::test::run_seed());
  for (const char* dataflow : {"weight_stationary", "output_stationary", "output_stationary"}) {
    for (int i = 0; i < 4; ++i) {
      arch::TensorArray array =
          arch::random_tensor_array(random, {{"rows", arch::IntRange{1, 4}},
                                             {"cols", arch::IntRange{1, 4}},
                                             {"macs_per_pe", arch::IntSet{{1, 2}}},
                                             {"pe_registers", arch::IntRange{1, 3}},
                                             {"dataflow", arch::Choice{{dataflow}, {}}},
                                             {"skew", arch::Choice{{"internal"}, {}}}});
      const hdl::test::ScratchDirectory scratch;
      for (const auto& [name, gating] : {std::pair{"plain", arch::ClockGating::none},
                                         std::pair{"gated", arch::ClockGating::per_row}}) {
        array.name = name;
        array.clock_gating = gating;
        hdl::test::write_sources(build_tensor_array(array, {}), scratch);
      }
      scratch.write("bench.v", bench(array, static_cast<unsigned>(random() % 1000000)));
      const auto run = hdl::test::run(
          scratch.path(), "iverilog -g2005 -o bench bench.v plain*.v gated*.v && ./bench");
      ASSERT_EQ(run.status, 0) << run.output;
      EXPECT_EQ(run.output.substr(run.output.find(' ')), " 0")
          << arch::canonical_form(arch::config_of(array));
      EXPECT_GT(std::stoi(run.output), 10) << arch::canonical_form(arch::config_of(array));
    }
  }
}

}  // namespace
}  // namespace weft::rtl
