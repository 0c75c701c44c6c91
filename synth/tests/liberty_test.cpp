// SPDX-License-Identifier: Apache-2.0
#include "synth/liberty.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/tests/messages.h"
#include "synth/tests/mini_library.h"

namespace weft::synth {
namespace {

constexpr const char* small = R"lib(/* a comment with { braces } and "quotes" */
library ("small") { // another one {
  time_unit : "10ps";
  capacitive_load_unit (2, FF);
  define (strange, library, string);
  operating_conditions (typical) { process : 1; voltage : 1.8; }
  lu_table_template (t2) { variable_1 : input_net_transition; index_1 ("1, \
      2"); }
  cell (EMPTY) { area : 1.5 }
  cell ("QUOTED") {
    area : 2.25;
    dont_use : true;
    pg_pin (VDD) { pg_type : primary_power; }
    pin ("A", B) { direction : input; capacitance : 0.5; }
    pin (Y) {
      direction : "output";
      function : "(A & B)";
      timing () { related_pin : "A B"; cell_rise (t2) { values ("1, 2"); } cell_fall (gone) { } }
      timing () { intrinsic_rise : 1.0; cell_rise (scalar) { values ("1"); } }
    }
  }
  cell (REG) { area : 7; ff (IQ,IQN) { next_state : "D"; } pin (D) { direction : input; } }
  cell (REG4) { area : 20; ff_bank (IQ,IQN,4) { next_state : "D"; } }
  cell (LAT) { area : 5; latch (IQ,IQN) { enable : "E"; } statetable ("E D", "Q") { table : "H"; } }
}
)lib";

TEST(Liberty, ReadsCellsPinsAndUnits) {
  const Liberty library = parse_liberty(small, "small.lib");
  EXPECT_EQ(library.name, "small");
  EXPECT_DOUBLE_EQ(library.time_unit_ps, 10);
  ASSERT_EQ(library.cells.size(), 5U);
  EXPECT_DOUBLE_EQ(library.cells.at("EMPTY").area, 1.5);

  const LibertyCell& quoted = library.cells.at("QUOTED");
  EXPECT_DOUBLE_EQ(quoted.area, 2.25);
  EXPECT_TRUE(quoted.dont_use);
  ASSERT_EQ(quoted.pins.size(), 3U);
  EXPECT_EQ(quoted.pins[0].name, "A");
  EXPECT_EQ(quoted.pins[1].name, "B");
  EXPECT_TRUE(quoted.pins[1].is_input);
  EXPECT_DOUBLE_EQ(quoted.pins[1].capacitance_ff, 1.0);
  EXPECT_TRUE(quoted.pins[2].is_output);
  EXPECT_EQ(quoted.pins[2].function, "(A & B)");

  EXPECT_EQ(library.cells.at("REG").flip_flops, 1);
  EXPECT_EQ(library.cells.at("REG4").flip_flops, 4);
  EXPECT_EQ(library.cells.at("LAT").flip_flops, 0);
  EXPECT_EQ(library.cells.at("LAT").latches, 1);
}

TEST(Liberty, NotesTemplatesThatAreUsedButNotDeclared) {
  const Liberty library = parse_liberty(small, "small.lib");
  EXPECT_TRUE(library.templates.contains({"lu_table_template", "t2"}));
  const std::map<TemplateId, std::size_t> expected{{{"lu_table_template", "gone"}, 1}};
  EXPECT_EQ(library.undeclared, expected);
}

TEST(Liberty, CellBodiesBeginBehindTheBrace) {
  const std::string text = small;
  const Liberty library = parse_liberty(text, "small.lib");
  EXPECT_EQ(text.substr(library.cells.at("REG").body, 9), " area : 7");
  EXPECT_EQ(text.substr(library.first_cell).find("cell (EMPTY)"), 0U);
}

TEST(Liberty, UnitsDoNotChangeTheMeaning) {
  const Liberty nano = parse_liberty(mini_library(), "a");
  const Liberty pico = parse_liberty(mini_library({.time_unit = "1ps",
                                                   .time_scale = 1000,
                                                   .capacitance_unit = "ff",
                                                   .capacitance_scale = 1}),
                                     "b");
  EXPECT_DOUBLE_EQ(nano.cells.at("INV").pins.at(0).capacitance_ff, 2);
  EXPECT_DOUBLE_EQ(pico.cells.at("INV").pins.at(0).capacitance_ff, 2);
  EXPECT_DOUBLE_EQ(nano.time_unit_ps, 1000);
  EXPECT_DOUBLE_EQ(pico.time_unit_ps, 1);
}

std::string error_of(const std::string& text) {
  return test::message_of<UserError>([&] { parse_liberty(text, "x.lib"); });
}

TEST(Liberty, NamesTheLineOfAnError) {
  EXPECT_EQ(error_of("module x;\n"),
            "x.lib:1: not a Liberty library: expected ':' or '(' after 'module'");
  EXPECT_EQ(error_of("library (x) {\n  cell (A) {\n    area : big;\n  }\n}\n"),
            "x.lib:3: not a Liberty library: 'big' is not a number");
  EXPECT_EQ(error_of("library (x) {\n  cell (A) {\n"),
            "x.lib:3: not a Liberty library: the file ends inside a group");
  EXPECT_EQ(error_of("library (x) {\n  time_unit : \"1s\";\n}\n"),
            "x.lib:2: not a Liberty library: time_unit '1s' is none of ps, ns, us");
  EXPECT_EQ(error_of("library (x) {\n  note : \"open;\n}\n"),
            "x.lib:2: not a Liberty library: a string without an end");
  EXPECT_EQ(error_of("library (x) { }"), "x.lib: the library has no cells");
  EXPECT_EQ(error_of(""), "x.lib:1: not a Liberty library: it must begin with library (NAME) {");
}

// Whatever is cut off, the answer is an error with a place, never a crash or a hang.
TEST(Liberty, EveryPrefixIsRefused) {
  const std::string text = small;
  const std::size_t end = text.rfind('}');
  for (std::size_t size = 0; size <= end; ++size)
    EXPECT_NE(error_of(text.substr(0, size)), "no error") << size;
}

}  // namespace
}  // namespace weft::synth
