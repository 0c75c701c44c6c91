// SPDX-License-Identifier: Apache-2.0
// The emitted text is accepted by three tools without one warning, at the default and at other
// sizes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "rtl_gen/hdl/hdl.h"
#include "rtl_gen/hdl/tests/example_modules.h"
#include "rtl_gen/hdl/tests/tool_run.h"

namespace weft::rtl::hdl::test {
namespace {

struct Files {
  explicit Files(const Design& design) {
    for (const auto& [name, text] : design.render()) scratch.write(name, text);
  }
  ScratchDirectory scratch;
};

void expect_silent(const Files& files, const std::string& command) {
  const ToolRun result = run(files.scratch.path(), command);
  EXPECT_EQ(result.status, 0) << command << "\n" << result.output;
  EXPECT_EQ(result.output, "") << command;
}

/// Lints `top` with parameters "NAME=value ...".
void expect_clean(const Design& design, const Module& top, const ParameterValues& values) {
  const Files files(design);
  std::string verilator, icarus, yosys;
  for (const auto& [name, value] : values) {
    verilator += fmt::format(" -G{}={}", name, value);
    icarus += fmt::format(" -P{}.{}={}", top.name(), name, value);
    yosys += fmt::format(" -set {} {}", name, value);
  }
  expect_silent(files,
                fmt::format("verilator --lint-only -Wall -y .{} {}.v", verilator, top.name()));
  expect_silent(files, fmt::format("iverilog -g2005 -Wall -y .{} -s {} -t null {}.v", icarus,
                                   top.name(), top.name()));
  // Some parameters with `hierarchy -chparam` run into an assertion of Yosys 0.23.
  if (!yosys.empty()) yosys = fmt::format("chparam{} {}; ", yosys, top.name());
  expect_silent(
      files, fmt::format("yosys -q -p 'read_verilog *.v; {}hierarchy -check -top {}; proc'", yosys,
                         top.name()));
}

TEST(Lint, SkidBuffer) {
  Design design({"0.1.0", "example", "0123"});
  const Module& m = add_skid_buffer(design);
  expect_clean(design, m, {});
  expect_clean(design, m, {{"WIDTH", 1}});
}

TEST(Lint, Fifo) {
  Design design;
  const Module& m = add_fifo(design);
  expect_clean(design, m, {});
  for (const int depth : {2, 3, 4, 17}) {
    m.check({{"DEPTH", depth}, {"WIDTH", 1}});
    expect_clean(design, m, {{"DEPTH", depth}, {"WIDTH", 1}});
  }
}

TEST(Lint, Skew) {
  Design design;
  const Module& m = add_skew(design);
  expect_clean(design, m, {});
  m.check({{"ROWS", 13}, {"WIDTH", 3}});
  expect_clean(design, m, {{"ROWS", 13}, {"WIDTH", 3}});
}

TEST(Lint, GridOfEverything) {
  Design design;
  const Module& m = add_grid(design);
  expect_clean(design, m, {});
  m.check({{"ROWS", 2}, {"COLS", 9}, {"WIDTH", 7}});
  expect_clean(design, m, {{"ROWS", 2}, {"COLS", 9}, {"WIDTH", 7}});
}

TEST(Lint, IllegalParameterStopsElaborationWithItsReason) {
  Design design;
  add_skew(design);
  const Files files(design);
  for (const char* const command :
       {"verilator --lint-only -Wall -GROWS=0 example_skew.v",
        "iverilog -g2005 -Wall -Pexample_skew.ROWS=0 -s example_skew -t null example_skew.v",
        "yosys -q -p 'read_verilog example_skew.v; hierarchy -check -top example_skew -chparam "
        "ROWS 0'"}) {
    const ToolRun result = run(files.scratch.path(), command);
    EXPECT_NE(result.status, 0) << command;
    EXPECT_NE(result.output.find("ROWS_must_be_at_least_1"), std::string::npos) << result.output;
  }
}

}  // namespace
}  // namespace weft::rtl::hdl::test
