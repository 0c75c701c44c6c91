// SPDX-License-Identifier: Apache-2.0
// What the array generator emits, over the whole parameter space: clean under three tools, the same
// bytes again, and legal at other sizes.
#include "rtl_gen/array/tensor_array.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <string>

#include "arch/config.h"
#include "base/tests/run_seed.h"
#include "rtl_gen/hdl/tests/lint.h"
#include "rtl_gen/hdl/tests/tool_run.h"

namespace weft::rtl {
namespace {

arch::TensorArray draw(std::mt19937_64& random) {
  arch::TensorArray array =
      arch::random_tensor_array(random, {{"rows", arch::IntRange{1, 4}},
                                         {"cols", arch::IntRange{1, 4}},
                                         {"pe_registers", arch::IntRange{1, 7}}});
  array.name = "drawn";  // a name of one letter may hide a variable of a module; emit() refuses it
  return array;
}

TEST(TensorArrayRtl, IsCleanUnderThreeTools) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < 24 && !HasFailure(); ++i) {
    const arch::TensorArray array = draw(random);
    EXPECT_EQ(hdl::test::lint(build_tensor_array(array, {}), array.name), "")
        << arch::canonical_form(arch::config_of(array));
  }
}

/// Sums have a bit more than results where a step's dot product has.
TEST(TensorArrayRtl, ResultsMayBeNarrowerThanGatedSums) {
  arch::TensorArray array;
  array.name = "narrow";
  array.rows = 2;
  array.cols = 2;
  array.dataflow = arch::Dataflow::output_stationary;
  array.macs_per_pe = 2;
  array.clock_gating = arch::ClockGating::per_row;
  for (const int width : {15, 16, 17, 18, 24}) {
    array.accumulator_width = width;
    const arch::TensorArray complete = arch::resolved(array);
    EXPECT_EQ(hdl::test::lint(build_tensor_array(complete, {}), complete.name), "") << width;
  }
}

TEST(TensorArrayRtl, IsTheSameTextAgain) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < 20; ++i) {
    const arch::TensorArray array = draw(random);
    const hdl::Provenance from{"1.0", "name", "0123"};
    EXPECT_EQ(build_tensor_array(array, from).render(), build_tensor_array(array, from).render());
  }
}

TEST(TensorArrayRtl, ChecksAtOtherSizes) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < 20; ++i) {
    arch::TensorArray array = draw(random);
    array.overflow = arch::Overflow::wrap;
    const hdl::Design design = build_tensor_array(array, {});
    for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 5}, {7, 1}, {5, 9}, {16, 3}}) {
      EXPECT_NO_THROW(design.find(array.name)->check({{"ROWS", rows}, {"COLS", cols}}))
          << rows << " x " << cols << "\n"
          << arch::canonical_form(arch::config_of(array));
    }
  }
}

/// What a line of a timing diagram shows of a signal.
std::string wave(const std::string& text, const std::string& signal) {
  std::smatch match;
  std::regex_search(text, match, std::regex("// +" + signal + R"( +([-_/\\]+)\n)"));
  return match.str(1);
}

// The diagram in its header is what the gate does: Icarus is driven by two lines of it.
TEST(TensorArrayRtl, TheClockGateDoesWhatItsDiagramShows) {
  arch::TensorArray array;
  array.name = "drawn";
  array.accumulator_width = 32;
  array.clock_gating = arch::ClockGating::per_row;
  const hdl::Design design = build_tensor_array(array, {});
  const hdl::test::ScratchDirectory scratch;
  hdl::test::write_sources(design, scratch);
  const std::string text = design.render().at("drawn_clock_gate.v");
  const std::string clk = wave(text, "clk_i");
  const std::string enable = wave(text, "enable_i");
  const std::string shown = wave(text, "clk_o");
  ASSERT_EQ(clk.size(), enable.size()) << text;
  ASSERT_EQ(clk.size(), shown.size()) << text;
  std::string bench =
      "module bench;\n  reg clk, enable;\n  wire out;\n"
      "  drawn_clock_gate gate(.clk_i(clk), .enable_i(enable), .clk_o(out));\n"
      "  initial begin\n";
  // A level holds over a column, an edge is at its beginning.
  const auto level = [](char c) { return c == '-' || c == '/' ? 1 : 0; };
  for (std::size_t i = 0; i < clk.size(); ++i)
    bench += fmt::format("    clk = {}; enable = {}; #1 $write(\"%b\", out);\n", level(clk[i]),
                         level(enable[i]));
  scratch.write("bench.v", bench + "  end\nendmodule\n");
  const hdl::test::ToolRun simulated = hdl::test::run(
      scratch.path(), "iverilog -g2005 -o bench bench.v drawn_clock_gate.v && ./bench");
  ASSERT_EQ(simulated.status, 0) << simulated.output;
  std::string expected;
  for (const char c : shown) expected += level(c) == 1 ? '1' : '0';
  EXPECT_EQ(simulated.output, expected) << text;
  EXPECT_NE(expected.find('0'), std::string::npos);
}

}  // namespace
}  // namespace weft::rtl
