// SPDX-License-Identifier: Apache-2.0
#include "synth/fpga/fpga_reports.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace weft::synth {
namespace {

std::string memory_cell(const std::string& name, const char* size, const char* clocked) {
  return "\"" + name + R"(": {"type": "$mem_v2", "parameters": {"MEMID": "\\)" + name +
         R"(", "SIZE": ")" + size + R"(", "WIDTH": "00001000", "RD_CLK_ENABLE": ")" + clocked +
         "\"}}";
}

TEST(FpgaReports, ReadsWhereMemoriesWent) {
  const std::string json =
      R"({"modules": {"top": {"cells": {)" + memory_cell("u.big", "1000000000", "1") + "," +
      memory_cell("u.small", "100000", "0") + "," + memory_cell("u.small_2", "11", "10") + "}}}}";
  const auto memories = read_memories(json, "top/u.big.0.0\ntop/u.big.0.1\n", "top/u.small.0.0\n");
  const std::vector<FpgaMemory> expected{{"u.big", 512, 8, false, "block RAM"},
                                         {"u.small", 32, 8, true, "LUT RAM"},
                                         {"u.small_2", 3, 8, true, "registers"}};
  EXPECT_EQ(memories, expected);
  EXPECT_THROW(read_memories("{}", "", ""), ToolError);
}

TEST(FpgaReports, SurviveJson) {
  FpgaUse use{.luts = 1, .carries = 2, .flip_flops = 3, .dsps = 4, .block_rams = 5, .lut_rams = 6};
  use.others = 7;
  use.routed = true;
  use.memories = {{"m", 4, 5, true, "registers"}};
  EXPECT_EQ(fpga_use_from_json(to_json(use)), use);
  EXPECT_EQ(to_json(use).at("memory_bits").at("registers"), 20);
}

constexpr const char* icetime_report = R"(
Resolvable net names on path:
     0.640 ns ..  2.737 ns u.present[0]
     3.137 ns ..  4.301 ns u.present_q_SB_LUT4_I1_O[0]
                  lcout -> out_o[19]$SB_IO_OUT

Total number of logic levels: 11
Total path delay: 18.25 ns (54.79 MHz)
)";

TEST(FpgaReports, ReadsTheRoutedPath) {
  const auto timing = read_icetime(icetime_report, "log");
  EXPECT_EQ(timing.delay_ns, 18.25);
  EXPECT_EQ(timing.start, "u.present[0]");
  EXPECT_EQ(timing.end, "out_o[19]");
  EXPECT_THROW(read_icetime("// Reading 8k chipdb file..\n", "log"), ToolError);
}

TEST(FpgaReports, KnowsDesignsThatDoNotFit) {
  EXPECT_EQ(misfit("ERROR: Unable to place cell 'a', no BELs remaining to implement cell type "
                   "'ICESTORM_LC'\n"),
            "it needs more cells of type ICESTORM_LC than there are");
  EXPECT_EQ(misfit("ERROR: Failed to open JSON file\n"), "");
}

}  // namespace
}  // namespace weft::synth
