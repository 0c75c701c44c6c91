// SPDX-License-Identifier: Apache-2.0
//
// Designs that are driven by their plain pins.
#include "verif/pin_dut.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "verif/dut.h"
#include "verif/dut_builder.h"
#include "verif/random.h"
#include "verif/waveform.h"

namespace weft::verif {
namespace {
namespace fs = std::filesystem;

/// Ports of all containers; outputs from inputs of the same cycle and of the one before; a register
/// that is reset and one that is not.
constexpr const char* pins = R"(module pins (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire [2:0]  narrow_i,
    input  wire [32:0] middle_i,
    input  wire [69:0] wide_i,
    input  wire        keep_i,
    output wire [2:0]  narrow_o,
    output reg  [32:0] middle_o,
    output wire [69:0] wide_o,
    output reg  [15:0] count_o,
    output reg  [15:0] kept_o
);
  assign narrow_o = narrow_i + 3'd1;
  assign wide_o   = ~wide_i;
  always @(posedge clk_i) begin
    middle_o <= middle_i;
    if (!rst_ni) count_o <= 16'd0;
    else count_o <= count_o + {13'd0, narrow_i};
    if (!keep_i) kept_o <= 16'd1;
    if (rst_ni && middle_i == 33'h1_2345_6789) $stop;
  end
endmodule
)";

struct In {
  std::uint8_t narrow = 0;
  std::array<std::uint8_t, 7> gap{};
  std::uint64_t middle = 0;
  std::array<std::uint32_t, 3> wide{};
  std::uint8_t keep = 0;
  std::array<std::uint8_t, 3> end{};
};
struct Out {
  std::uint8_t narrow = 0;
  std::array<std::uint8_t, 7> gap{};
  std::uint64_t middle = 0;
  std::array<std::uint32_t, 3> wide{};
  std::uint16_t count = 0;
  std::uint16_t kept = 0;
};

DutDescription pins_dut() {
  DutDescription dut;
  dut.top = "pins";
  dut.files = {{"pins.v", pins}};
  dut.inputs = {{"narrow_i", 3, {}}, {"middle_i", 33, {}}, {"wide_i", 70, {}}, {"keep_i", 1, {}}};
  dut.outputs = {{"narrow_o", 3, {}},
                 {"middle_o", 33, {}},
                 {"wide_o", 70, {}},
                 {"count_o", 16, {}},
                 {"kept_o", 16, {}}};
  return dut;
}

class PinDutTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("WEFT_CACHE", (fs::path(WEFT_BINARY_DIR) / "test-cache").c_str(), 1);
  }

  static Out cycle(PinDut& dut, const In& in) {
    Out out;
    dut.cycle(reinterpret_cast<const std::uint8_t*>(&in), reinterpret_cast<std::uint8_t*>(&out));
    return out;
  }
};

TEST_F(PinDutTest, SetsInputsReadsOutputsThenClocks) {
  ASSERT_EQ(sizeof(In), beat_layout(pins_dut().inputs).stride);
  ASSERT_EQ(sizeof(Out), beat_layout(pins_dut().outputs).stride);
  const BuiltDut built = build_dut(pins_dut());
  PinDut dut(built.library, pins_dut());
  dut.reset(3);
  Random random(std::random_device{}());
  std::uint64_t middle = 0;
  std::uint16_t count = 0;
  for (int t = 0; t < 1000; ++t) {
    In in;  // dirty above every port's width
    in.narrow = static_cast<std::uint8_t>(random.bits());
    in.middle = random.bits();
    for (auto& word : in.wide) word = static_cast<std::uint32_t>(random.bits());
    if ((in.middle & 0x1FFFFFFFF) == 0x123456789) continue;
    const Out out = cycle(dut, in);
    EXPECT_EQ(out.narrow, (in.narrow + 1) & 7);
    EXPECT_EQ(out.wide[0], ~in.wide[0]);
    EXPECT_EQ(out.wide[1], ~in.wide[1]);
    EXPECT_EQ(out.wide[2], ~in.wide[2] & 0x3F);
    if (t > 0) {
      EXPECT_EQ(out.middle, middle);
    }
    EXPECT_EQ(out.count, count);
    middle = in.middle & 0x1FFFFFFFF;
    count = static_cast<std::uint16_t>(count + (in.narrow & 7));
  }
}

TEST_F(PinDutTest, PowersUpAndResetsWithNoiseFromItsSeed) {
  const BuiltDut built = build_dut(pins_dut());
  std::set<std::uint64_t> noise;
  for (const int seed : {1, 2, 3, 1}) {
    PinDut dut(built.library, pins_dut(), seed);
    dut.reset(1);
    const Out out = cycle(dut, {.keep = 1});
    EXPECT_EQ(out.count, 0);
    noise.insert(out.middle);
    dut.reset(1, false);
    EXPECT_EQ(cycle(dut, {}).middle, 0U);
  }
  EXPECT_EQ(noise.size(), 3U);
  // A register that nothing has written yet has the value that it powered up with.
  std::set<std::uint16_t> kept;
  for (const int seed : {1, 2, 3, 4, 5, 6}) {
    DutDescription description = pins_dut();
    PinDut dut(built.library, description, seed);
    kept.insert(cycle(dut, {.keep = 1}).kept);
  }
  EXPECT_GT(kept.size(), 3U);
}

TEST_F(PinDutTest, TurnsAStoppingDesignIntoAnError) {
  const BuiltDut built = build_dut(pins_dut());
  PinDut dut(built.library, pins_dut());
  dut.reset(1);
  EXPECT_THROW(cycle(dut, {.middle = 0x123456789}), ToolError);
}

TEST_F(PinDutTest, WritesWaveforms) {
  BuildOptions options;
  options.trace = true;
  const fs::path wave =
      fs::temp_directory_path() / ("weft-pins-" + std::to_string(getpid()) + ".fst");
  {
    PinDut dut(build_dut(pins_dut(), options).library, pins_dut());
    dut.trace(wave);
    dut.reset(1);
    for (int t = 0; t < 10; ++t) cycle(dut, {.narrow = 3});
  }
  EXPECT_TRUE(is_whole_waveform(wave));
  fs::remove(wave);
}

TEST_F(PinDutTest, KnowsItsOwnLibrary) {
  const BuiltDut built = build_dut(pins_dut());
  DutDescription other = pins_dut();
  other.outputs.resize(2);
  EXPECT_THROW(PinDut(built.library, other), std::logic_error);
  EXPECT_THROW(Dut(built.library, pins_dut()), std::logic_error);
}

}  // namespace
}  // namespace weft::verif
