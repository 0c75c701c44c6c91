// SPDX-License-Identifier: Apache-2.0
#include "synth/power/power_library.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/tests/messages.h"
#include "synth/power/tests/hand_library.h"
#include "synth/target.h"

namespace weft::synth {
namespace {

constexpr const char* odd_units = R"lib(
library (odd) {
  time_unit : "10ps"; voltage_unit : "100mV"; leakage_power_unit : "10uW";
  capacitive_load_unit (2, ff);
  voltage_map (VDD, 7); voltage_map (VSS, 0);
  operating_conditions (typical) { voltage : 7; }
  operating_conditions (other) { voltage : 9; }
  default_operating_conditions : typical;
  default_input_pin_cap : 0.5;
  power_lut_template (by_load) { variable_1 : total_output_net_capacitance;
    variable_2 : input_transition_time; index_1 ("1, 2, 4"); index_2 ("10, 20"); }
  power_lut_template (by_slew) { variable_1 : input_transition_time; index_1 ("10, 20"); }
  cell (C) {
    pg_pin (VDD) { pg_type : primary_power; voltage_name : VDD; }
    pg_pin (VSS) { pg_type : primary_ground; voltage_name : "VSS"; }
    leakage_power () { value : 3; related_pg_pin : VDD; }
    leakage_power () { value : 99; related_pg_pin : VSS; }
    pin (A) { direction : input;
      internal_power () { when : "B Y"; rise_power (by_slew) { index_1 ("5, 15"); values ("1, 2"); } }
    }
    pin (B) { direction : input; capacitance : 3; }
    pin (Y) { direction : output; function : "A B";
      internal_power () { related_pin : "A"; related_pg_pin : VDD;
        rise_power (by_load) { values ("1, 2", "3, 4", \
                                       "5, 6"); } }
      internal_power () { related_pin : "A"; related_pg_pin : VSS;
        rise_power (by_load) { values ("9, 9", "9, 9", "9, 9"); } }
    }
  }
}
)lib";

TEST(PowerLibrary, ConvertsUnits) {
  const PowerLibrary library = read_power_library(odd_units, "odd.lib");
  EXPECT_DOUBLE_EQ(library.voltage, 0.7);
  const PowerCell& cell = library.cells.at("C");
  EXPECT_DOUBLE_EQ(cell.pins[0].capacitance, 1e-15);  // the default: 0.5 of 2 fF
  EXPECT_DOUBLE_EQ(cell.pins[1].capacitance, 6e-15);
  ASSERT_EQ(cell.leakages.size(), 1U);  // not that of the ground pin
  EXPECT_DOUBLE_EQ(cell.leakages[0].watts, 30e-6);
  ASSERT_EQ(cell.internal.size(), 2U);
  // 2 fF times (100 mV)^2.
  constexpr double unit = 2e-15 * 0.01;
  const InternalEnergy& input = cell.internal[0];
  EXPECT_EQ(input.pin, 0);
  EXPECT_EQ(input.related, -1);
  ASSERT_TRUE(input.when);
  // Y is A B, so this is B A B: no output is a state of its own.
  EXPECT_EQ(input.when->support(), (std::vector<int>{0, 1}));
  EXPECT_NEAR(input.energy.rise.at(100e-12, 1), 1.5 * unit, 1e-9 * unit);  // 10 of 10 ps: half way
  EXPECT_EQ(input.energy.fall.at(100e-12, 1), 0);
  const InternalEnergy& output = cell.internal[1];
  EXPECT_EQ(output.related, 0);
  const auto at = [&](double slew, double load) {
    return output.energy.rise.at(slew * 10e-12, load * 2e-15) / unit;
  };
  EXPECT_NEAR(at(10, 1), 1, 1e-9);
  EXPECT_NEAR(at(20, 1), 2, 1e-9);
  EXPECT_NEAR(at(10, 2), 3, 1e-9);
  EXPECT_NEAR(at(15, 3), 4.5, 1e-9);  // the middle of 3, 4, 5, 6
  EXPECT_NEAR(at(10, 0), -1, 1e-9);   // as from 2 to 1
  EXPECT_NEAR(at(10, 6), 7, 1e-9);    // as from 2 to 4
  EXPECT_NEAR(at(30, 4), 7, 1e-9);
}

TEST(PowerLibrary, KnowsWhatCellsStore) {
  const PowerLibrary library = hand_library();
  EXPECT_EQ(library.cells.at("INV").storage, Storage::none);
  EXPECT_EQ(library.cells.at("DFF").storage, Storage::flip_flop);
  EXPECT_EQ(library.cells.at("LATN").storage, Storage::latch);
  const PowerCell& reset = library.cells.at("DFFR");
  ASSERT_TRUE(reset.clear);
  EXPECT_FALSE(reset.preset);
  // The inverse output is told by the stored bit.
  EXPECT_EQ(reset.pins[3].function->steps(),
            (std::vector<Expression::Step>{{Expression::Op::variable, reset.stored()},
                                           {Expression::Op::invert}}));
}

std::string error_of(const std::string& text) {
  return test::message_of<UserError>([&] { read_power_library(text, "x.lib"); });
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(PowerLibrary, SaysWhatIsMissing) {
  const std::string hand = hand_library_text;
  EXPECT_EQ(
      error_of(replaced(hand, "nom_voltage : 2", "nom_process : 2")),
      "x.lib: the library tells no supply voltage (default_operating_conditions, nom_voltage)");
  EXPECT_EQ(error_of(replaced(hand, "\"1nW\"", "\"1hp\"")),
            "x.lib:3: not a Liberty library: leakage_power_unit '1hp' is not a number of w with a "
            "prefix of a to k");
  EXPECT_NE(error_of(replaced(hand, "leakage_power_unit : \"1nW\";", ""))
                .find("no leakage_power_unit in the library"),
            std::string::npos);
  EXPECT_NE(error_of(replaced(hand, "values (\"0.03\")", "values (\"lots\")"))
                .find("values: 'lots' is not a number"),
            std::string::npos);
  EXPECT_NE(error_of(replaced(odd_units, "\"5, 6\"", "\"5\"")).find("6 points has 5 values"),
            std::string::npos);
  EXPECT_EQ(error_of("library (x) { nom_voltage : 1; cell (A) { area : 1; } }"),
            "x.lib: the library has no internal_power tables, so energy can't be given; area and "
            "clock can (weft synth)");
}

// The default library as it is installed.
TEST(PowerLibrary, ReadsTheOsuLibraries) {
  for (const char* name : {"osu018", "osu035", "osu050"}) {
    const Target target = load_target(name);
    const PowerLibrary library = read_power_library(target.liberty_text, name);
    EXPECT_TRUE(library.notes.empty()) << name;
    EXPECT_GT(library.voltage, 1) << name;
    for (const auto& [cell_name, cell] : library.cells) {
      if (cell.storage != Storage::none || cell_name.starts_with("PAD")) continue;
      for (const PowerPin& pin : cell.pins)
        EXPECT_GE(pin.capacitance, 0) << name << " " << cell_name;
    }
  }
}

}  // namespace
}  // namespace weft::synth
