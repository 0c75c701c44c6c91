// SPDX-License-Identifier: Apache-2.0
#include "synth/target.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "base/tests/messages.h"
#include "synth/gzip.h"
#include "synth/tests/mini_library.h"
#include "synth/tests/temporary_directory.h"

namespace weft::synth {
namespace {

using test::contains;
using test::message_of;

class TargetTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    base::write_file_atomic(directory_ / name, text);
    return (directory_ / name).string();
  }
  TemporaryDirectory directory_;
};

// The constraints that published areas and delays in this technology were measured with.
TEST_F(TargetTest, Osu018IsDrivenByBufx2AndLoadedWith15Femtofarads) {
  const Target target = load_target("osu018");
  EXPECT_EQ(target.driving_cell, "BUFX2");
  EXPECT_EQ(target.load_ff, 15);
  EXPECT_EQ(target.library.cells.at("DFFPOSX1").area, 96);
  EXPECT_EQ(target.library.cells.at("DFFPOSX1").flip_flops, 1);
  EXPECT_TRUE(target.notes.empty());
}

TEST_F(TargetTest, ChoosesTheSmallestBufferOfAnyLibrary) {
  const Target target = load_target(write("mini.lib", mini_library()));
  EXPECT_EQ(target.driving_cell, "BUF");
  EXPECT_DOUBLE_EQ(target.load_ff, 3.2);
  const Target chosen =
      load_target(write("mini.lib", mini_library()), {.driving_cell = "INV", .load_ff = 7});
  EXPECT_EQ(chosen.driving_cell, "INV");
  EXPECT_EQ(chosen.load_ff, 7);
}

TEST_F(TargetTest, CompressedLibrariesAreTheSame) {
  const Target plain = load_target(write("mini.lib", mini_library()));
  const Target packed = load_target(write("mini.lib.gz", gzip(mini_library())));
  EXPECT_EQ(packed.liberty_text, plain.liberty_text);
}

TEST_F(TargetTest, MarksCellsThatMustNotBeUsed) {
  const Target target = load_target(write("mini.lib", mini_library()), {.dont_use = {"N*"}});
  const Liberty changed = parse_liberty(target.liberty_text, "changed");
  for (const auto& [name, cell] : changed.cells)
    EXPECT_EQ(cell.dont_use, name == "NAND" || name == "NOR") << name;
  EXPECT_TRUE(contains(message_of<UserError>([&] {
                         load_target(write("mini.lib", mini_library()), {.dont_use = {"X*"}});
                       }),
                       "no cell of " + (directory_ / "mini.lib").string() + " matches 'X*'"));
}

TEST_F(TargetTest, PadsAreNotForLogic) {
  std::string text = mini_library();
  text.insert(text.find("area : 1;"), "pad_cell : true; ");  // of INV
  const Target target = load_target(write("pads.lib", text));
  EXPECT_TRUE(target.library.cells.at("INV").dont_use);
  EXPECT_TRUE(parse_liberty(target.liberty_text, "changed").cells.at("INV").dont_use);
  EXPECT_FALSE(target.library.cells.at("NAND").dont_use);
}

TEST_F(TargetTest, DeclaresTemplatesThatAMergeRenamed) {
  std::string text = mini_library();
  const auto declared = text.find("lu_table_template (delay)");
  text.replace(declared, 25, "lu_table_template (delay_x1)");
  const Target target = load_target(write("merged.lib", text));
  EXPECT_TRUE(parse_liberty(target.liberty_text, "changed").undeclared.empty());
  ASSERT_EQ(target.notes.size(), 1U);
  EXPECT_TRUE(contains(target.notes[0], "delay_x1 is taken for it")) << target.notes[0];
}

TEST_F(TargetTest, SaysWhatIsWrong) {
  EXPECT_EQ(message_of<UserError>([] { load_target("osu081"); }),
            "target 'osu081' is neither a file nor one of osu018, osu035, osu050, ice40, "
            "ice40up, ecp5, xilinx7");
  EXPECT_TRUE(contains(message_of<UserError>([&] {
                         load_target(write("cut.lib.gz", gzip(mini_library()).substr(0, 99)));
                       }),
                       "cut.lib.gz: the gzip file is damaged or cut off"));
  EXPECT_TRUE(contains(message_of<UserError>([&] {
                         load_target(write("none.lib", "library (x) { cell (INV) { area : 1; } }"));
                       }),
                       "no buffer to drive the inputs with"));
  EXPECT_TRUE(contains(message_of<UserError>([&] {
                         load_target(write("mini.lib", mini_library()), {.driving_cell = "BIG"});
                       }),
                       "driving cell BIG: no such cell"));
}

}  // namespace
}  // namespace weft::synth
