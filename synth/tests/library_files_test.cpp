// SPDX-License-Identifier: Apache-2.0
#include "synth/library_files.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "base/tests/messages.h"
#include "synth/gzip.h"
#include "synth/target.h"
#include "synth/tests/mini_library.h"
#include "synth/tests/temporary_directory.h"

namespace weft::synth {
namespace {

using test::contains;
using test::message_of;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// The mini library without a cell, or without all the others.
std::string without_cell(const std::string& name, bool only = false) {
  const std::string text = mini_library();
  const auto first = text.find("  cell (");
  const auto begin = text.find("  cell (" + name + ")");
  auto end = text.find("  cell (", begin + 1);
  if (end == std::string::npos) end = text.rfind('}');
  const std::string cell = text.substr(begin, end - begin);
  if (only) return text.substr(0, first) + cell + "}\n";
  return text.substr(0, begin) + text.substr(end);
}

class LibraryFilesTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    base::write_file_atomic(directory_ / name, text);
    return (directory_ / name).string();
  }
  TemporaryDirectory directory_;
};

TEST_F(LibraryFilesTest, OneFileIsLeftAsItIs) {
  const auto merged = merge_libraries({{"mini.lib", mini_library()}});
  EXPECT_EQ(merged.text, mini_library());
  EXPECT_TRUE(merged.notes.empty());
}

TEST_F(LibraryFilesTest, CellsOfAllFilesAreThere) {
  const Target whole = load_target(write("mini.lib", mini_library()));
  const Target parts = load_target(write("a.lib", without_cell("DFF")) + "," +
                                   write("b.lib.gz", gzip(without_cell("DFF", true))));
  ASSERT_EQ(parts.library.cells.size(), whole.library.cells.size());
  for (const auto& [name, cell] : whole.library.cells) {
    EXPECT_EQ(parts.library.cells.at(name).area, cell.area) << name;
    EXPECT_EQ(parts.library.cells.at(name).flip_flops, cell.flip_flops) << name;
    EXPECT_EQ(parts.library.cells.at(name).pins.size(), cell.pins.size()) << name;
  }
  EXPECT_TRUE(parts.library.undeclared.empty());
  EXPECT_TRUE(parts.notes.empty());
  EXPECT_EQ(parts.driving_cell, whole.driving_cell);
  EXPECT_TRUE(contains(parts.liberty_path, "a.lib, "));
}

TEST_F(LibraryFilesTest, CellsOfAnyFileCanBeRuledOut) {
  const std::string files =
      write("a.lib", without_cell("NOR")) + "," + write("b.lib", without_cell("NOR", true));
  const Target target = load_target(files, {.dont_use = {"NOR", "INV"}});
  EXPECT_TRUE(target.library.cells.at("NOR").dont_use);
  EXPECT_TRUE(target.library.cells.at("INV").dont_use);
  EXPECT_FALSE(target.library.cells.at("NAND").dont_use);
}

// Two files may mean different tables by the same name.
TEST_F(LibraryFilesTest, TemplatesThatDifferGetNamesOfTheirOwn) {
  const std::string other = replaced(without_cell("NOR", true), "variable_1 : input_net_transition",
                                     "variable_1 : total_output_net_capacitance");
  const auto merged = merge_libraries({{"a.lib", without_cell("NOR")}, {"b.lib", other}});
  const Liberty library = parse_liberty(merged.text, "merged");
  EXPECT_TRUE(library.undeclared.empty());
  const auto& first = library.templates.at({"lu_table_template", "delay"});
  const auto& second = library.templates.at({"lu_table_template", "delay_2"});
  EXPECT_TRUE(contains(first, "variable_1 : input_net_transition"));
  EXPECT_TRUE(contains(second, "variable_1 : total_output_net_capacitance"));
  const std::string nor = merged.text.substr(library.cells.at("NOR").body);
  EXPECT_TRUE(contains(nor, "cell_rise (delay_2)"));
  EXPECT_FALSE(contains(nor, "(delay)"));
  EXPECT_TRUE(contains(merged.text, "cell_rise (delay)"));  // of the first file's cells
}

TEST_F(LibraryFilesTest, RefusesWhatCannotBeMerged) {
  EXPECT_EQ(message_of<UserError>([] {
              merge_libraries({{"a.lib", mini_library()}, {"b.lib", without_cell("NOR", true)}});
            }),
            "b.lib: cell NOR is also in a.lib");
  const std::string pico = replaced(without_cell("NOR", true), "\"1ns\"", "\"1ps\"");
  EXPECT_EQ(message_of<UserError>([&] {
              merge_libraries({{"a.lib", without_cell("NOR")}, {"b.lib", pico}});
            }),
            "b.lib: the files of one target must measure in the same way: time_unit is 1ps, in "
            "a.lib 1ns");
  const std::string slew = replaced(without_cell("NOR", true), "slew_upper_threshold_pct_rise : 80",
                                    "slew_upper_threshold_pct_rise : 90");
  EXPECT_TRUE(contains(message_of<UserError>([&] {
                         merge_libraries({{"a.lib", without_cell("NOR")}, {"b.lib", slew}});
                       }),
                       "slew_upper_threshold_pct_rise is 90, in a.lib 80"));
  // The same units, written differently.
  const std::string same = replaced(without_cell("NOR", true), "(1, pf)", "(1.0000,\n    \"PF\")");
  EXPECT_EQ(message_of<UserError>([&] {
              merge_libraries({{"a.lib", without_cell("NOR")}, {"b.lib", same}});
            }),
            "no error");
}

TEST_F(LibraryFilesTest, NotesDifferentConditions) {
  const auto at = [](std::string text, const std::string& volts) {
    return text.replace(text.find("  time_unit"), 0, "  nom_voltage : " + volts + ";\n");
  };
  const auto merged = merge_libraries({{"a.lib", at(without_cell("NOR"), "1.20")},
                                       {"b.lib", at(without_cell("NOR", true), "1.1")}});
  ASSERT_EQ(merged.notes.size(), 1U);
  EXPECT_TRUE(contains(merged.notes[0], "nom_voltage is 1.20 in a.lib and 1.1 in b.lib"))
      << merged.notes[0];
}

TEST_F(LibraryFilesTest, SaysWhatIsWrongWithAFile) {
  EXPECT_TRUE(contains(message_of<UserError>([&] { load_target(write("empty.lib", "")); }),
                       "empty.lib: the file is empty"));
  EXPECT_TRUE(contains(message_of<UserError>([&] { load_target(directory_.path().string()); }),
                       "directory"));
  const std::string packed = gzip(mini_library());
  EXPECT_TRUE(contains(message_of<UserError>([&] {
                         load_target(write("cut.lib.gz", packed.substr(0, packed.size() / 2)));
                       }),
                       "cut.lib.gz: the gzip file is damaged or cut off"));
  EXPECT_TRUE(contains(
      message_of<UserError>([&] { load_target(write("a.lib", mini_library()) + ",gone.lib"); }),
      "'gone.lib' is neither a file nor one of"));
}

}  // namespace
}  // namespace weft::synth
