// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "synth/memory_library.h"
#include "synth/memory_model.h"
#include "synth/tests/mini_library.h"
#include "synth/tests/temporary_directory.h"

namespace weft::synth {
namespace {

/// A macro of the IHP SG13G2 SRAM compiler as its data sheet tells it, at 1.2 V and 25 C.
struct DataSheet {
  std::int64_t words;
  std::int64_t width;
  std::int64_t ports;
  double area_um2;
  double access_ns;  ///< 0: not in the sheet
  double access_pj;
};
constexpr DataSheet data_sheets[] = {
    {64, 16, 1, 15240.45, 3.01, 15.95}, {64, 64, 1, 50489.1, 3.11, 56.80},
    {256, 64, 1, 93180.53, 0, 0},       {2048, 64, 1, 491633.6, 5.43, 156.4},
    {64, 22, 2, 39383.9, 0, 21.05},     {64, 32, 2, 52620.88, 3.14, 29.57},
    {1024, 16, 2, 155153.8, 0, 0}};

TEST(MemoryModel, GivesTheDataSheetsThatItWasMadeFromInTheirTechnology) {
  // The flip-flop, the buffer's usual delay and its input of that technology.
  constexpr double flip_flop = 47.1744;
  constexpr double gate_ns = 0.364874;
  constexpr double input_ff = 2.3277;
  Target target;
  target.liberty_text = mini_library();
  target.liberty_text.insert(target.liberty_text.find("time_unit"), "nom_voltage : 1.2; ");
  target.library = parse_liberty(target.liberty_text, "mini.lib");
  target.driving_cell = "BUF";
  ASSERT_DOUBLE_EQ(gate_delay_ns(target), 0.2);
  for (const DataSheet& sheet : data_sheets) {
    const MemoryShape shape{sheet.words, sheet.width, sheet.ports - 1, 1, 0, 8};
    const MemoryCost cost = model_memory(shape, target);
    EXPECT_NEAR(cost.area_um2 * flip_flop / mini_dff_area, sheet.area_um2, 0.01 * sheet.area_um2);
    if (sheet.access_ns > 0) {
      EXPECT_NEAR(cost.access_ns * gate_ns / 0.2, sheet.access_ns, 0.04 * sheet.access_ns);
    }
    if (sheet.access_pj > 0) {
      EXPECT_NEAR(cost.access_pj * input_ff / 2, sheet.access_pj, 0.01 * sheet.access_pj);
    }
  }
}

/// A memory in Liberty: `outputs` and `inputs` are the contents of buses of a word, with the groups
/// that tell the ports.
std::string memory_cell(const std::string& name, int address_width, int word_width, double area,
                        const std::vector<std::string>& outputs,
                        const std::vector<std::string>& inputs) {
  std::string text =
      "  cell (" + name + ") {\n    area : " + std::to_string(area) +
      ";\n    memory () { type : ram; address_width : " + std::to_string(address_width) +
      "; word_width : " + std::to_string(word_width) + "; }\n" +
      "    pin (clk) { direction : input; clock : true;\n"
      "      internal_power () { when : \"read\";\n"
      "        rise_power (scalar) { values (\"3\"); }\n"
      "        fall_power (scalar) { values (\"1\"); } }\n"
      "      internal_power () { when : \"!read\";\n"
      "        rise_power (scalar) { values (\"2\"); } }\n    }\n";
  int number = 0;
  for (const std::string& output : outputs)
    text += "    bus (q" + std::to_string(number++) + ") { bus_type : word" +
            std::to_string(word_width) + "; direction : output;\n" + output + "    }\n";
  for (const std::string& input : inputs)
    text += "    bus (d" + std::to_string(number++) + ") { bus_type : word" +
            std::to_string(word_width) + "; direction : input;\n" + input + "    }\n";
  return text + "  }\n";
}

std::string clocked_read(const std::string& address) {
  return (address.empty() ? "" : "memory_read () { address : " + address + "; }\n") +
         "pin (q[7:0]) { timing () { related_pin : clk; timing_type : rising_edge;\n"
         "cell_rise (t) { values (\"700, 800\", \"900, 1000\"); }\n"
         "cell_fall (t) { values (\"600\"); } } }\n";
}

std::string free_read(const std::string& address) {
  return "memory_read () { address : " + address +
         "; }\ntiming () { related_pin : address; cell_rise (t) { values (\"400\"); } }\n";
}

std::string write(const std::string& address) {
  return (address.empty() ? "" : "memory_write () { address : " + address + "; }\n") +
         "timing () { related_pin : clk; timing_type : setup_rising;\n"
         "rise_constraint (t) { values (\"90\"); } fall_constraint (t) { values (\"120\"); } }\n";
}

class MemoryLibrary : public ::testing::Test {
 protected:
  std::vector<LibraryMemory> read(const std::string& cells) {
    const auto path = directory_ / "macros.lib";
    base::write_file_atomic(path,
                            "library (macros) {\n  time_unit : \"1ps\"; voltage_unit : \"1V\";\n"
                            "  capacitive_load_unit (10, ff);\n"
                            "  type (word8) { base_type : array; bit_width : 8; }\n"
                            "  type (word32) { base_type : array; bit_width : 32; }\n" +
                                cells + "}\n");
    return read_memory_library(path);
  }

  TemporaryDirectory directory_;
};

TEST_F(MemoryLibrary, UnitsDelaysAndEnergiesAreThoseOfTheFile) {
  const auto memories =
      read(memory_cell("R", 6, 8, 500, {clocked_read("a")}, {write("b")}) +
           "  cell (GATE) { area : 1; pin (Y) { direction : output; function : \"A\"; } }\n");
  ASSERT_EQ(memories.size(), 1U);
  const LibraryMemory& memory = memories.front();
  EXPECT_EQ(memory.cell, "R");
  EXPECT_EQ(memory.words, 64);
  EXPECT_EQ(memory.width, 8);
  EXPECT_TRUE(memory.clocked);
  EXPECT_DOUBLE_EQ(memory.cost.area_um2, 500);
  EXPECT_DOUBLE_EQ(memory.cost.access_ns, 0.9);  // the third of four values in ps
  EXPECT_DOUBLE_EQ(memory.cost.setup_ns, 0.12);
  EXPECT_DOUBLE_EQ(memory.cost.access_pj, 0.04);  // 3 + 1 times 10 fF V2
}

TEST_F(MemoryLibrary, PortsAreToldApartByTheirAddresses) {
  const auto memories =
      read(memory_cell("separate", 6, 8, 1, {clocked_read("a"), clocked_read("b")}, {write("c")}) +
           memory_cell("shared", 6, 8, 1, {clocked_read("a")}, {write("a")}) +
           memory_cell("mixed", 6, 8, 1, {clocked_read("a"), clocked_read("b")}, {write("a")}) +
           memory_cell("silent", 6, 8, 1, {clocked_read(""), clocked_read("")}, {write("")}));
  ASSERT_EQ(memories.size(), 4U);
  const auto ports = [&](std::size_t i) {
    return std::vector{memories[i].read_ports, memories[i].write_ports, memories[i].shared_ports};
  };
  using Ports = std::vector<std::int64_t>;
  EXPECT_EQ(ports(0), (Ports{2, 1, 0}));
  EXPECT_EQ(ports(1), (Ports{0, 0, 1}));
  EXPECT_EQ(ports(2), (Ports{1, 0, 1}));
  EXPECT_EQ(ports(3), (Ports{0, 0, 2}));
}

TEST_F(MemoryLibrary, TheSmallestThatFitsIsTakenSideBySideIfNeedBe) {
  const auto memories = read(memory_cell("narrow", 6, 8, 100, {clocked_read("a")}, {write("b")}) +
                             memory_cell("wide", 6, 32, 350, {clocked_read("a")}, {write("b")}) +
                             memory_cell("small", 5, 8, 10, {clocked_read("a")}, {write("b")}) +
                             memory_cell("one_port", 6, 8, 20, {clocked_read("a")}, {write("a")}));
  const auto fit = [&](std::int64_t words, std::int64_t width) {
    return fit_memory({words, width, 1, 1, 1, 6}, memories);
  };
  EXPECT_EQ(fit(64, 8)->source, "narrow");
  EXPECT_EQ(fit(33, 24)->source, "3 x narrow");
  EXPECT_DOUBLE_EQ(fit(33, 24)->area_um2, 300);
  EXPECT_EQ(fit(64, 32)->source, "wide");
  EXPECT_EQ(fit(32, 32)->source, "4 x small");
  EXPECT_FALSE(fit(65, 8));
  EXPECT_FALSE(fit_memory({32, 8, 2, 1, 3, 5}, memories));  // three ports
  EXPECT_EQ(fit_memory({64, 8, 0, 1, 0, 6}, memories)->source, "one_port");
}

TEST_F(MemoryLibrary, ClockedReadsStandForOthersOnlyWithANote) {
  const auto clocked = read(memory_cell("edge", 6, 8, 1, {clocked_read("a")}, {write("b")}));
  const MemoryShape without_clock{64, 8, 1, 1, 0, 6};
  EXPECT_NE(fit_memory(without_clock, clocked)->note, "");
  EXPECT_EQ(fit_memory({64, 8, 1, 1, 1, 6}, clocked)->note, "");
  const auto both = read(memory_cell("edge", 6, 8, 1, {clocked_read("a")}, {write("b")}) +
                         memory_cell("level", 6, 8, 9, {free_read("a")}, {write("b")}));
  EXPECT_EQ(fit_memory(without_clock, both)->source, "level");
  EXPECT_EQ(fit_memory(without_clock, both)->note, "");
  EXPECT_DOUBLE_EQ(fit_memory(without_clock, both)->access_ns, 0.4);
  const auto level = read(memory_cell("level", 6, 8, 9, {free_read("a")}, {write("b")}));
  EXPECT_FALSE(fit_memory({64, 8, 1, 1, 1, 6}, level));
}

TEST_F(MemoryLibrary, WhatIsNoMemoryIsAnError) {
  const auto message = [&](const std::string& cells) {
    try {
      read(cells);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message("  cell (G) { area : 1; }\n").find("no cell of it is a memory"),
            std::string::npos);
  EXPECT_NE(message(memory_cell("M", 6, 8, 0, {}, {})).find("has no area"), std::string::npos);
  EXPECT_NE(message(memory_cell("M", 0, 8, 1, {}, {})).find("address_width"), std::string::npos);
  EXPECT_THROW(read_memory_library(directory_ / "nothing.lib"), UserError);
}

}  // namespace
}  // namespace weft::synth
