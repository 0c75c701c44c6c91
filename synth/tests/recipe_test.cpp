// SPDX-License-Identifier: Apache-2.0
#include "synth/recipes/recipe.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "base/tests/messages.h"
#include "synth/tests/temporary_directory.h"

namespace weft::synth {
namespace {

std::string message(const RecipeOptions& options) {
  return test::message_of<UserError>([&] { load_recipe(options); });
}

class RecipeTest : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    base::write_file_atomic(directory_ / name, text);
    return directory_ / name;
  }
  TemporaryDirectory directory_;
};

TEST_F(RecipeTest, ThePageInTheDocumentationIsOfTheseRecipes) {
  EXPECT_EQ(base::read_file(WEFT_SOURCE_DIR "/docs/reference/recipes.md"), recipes_page())
      << "run: weft synth --list-recipes > docs/reference/recipes.md";
}

TEST_F(RecipeTest, EveryPassIsExplained) {
  for (const Recipe& recipe : recipes()) {
    EXPECT_TRUE(recipe.can_keep_modules()) << recipe.name;
    for (const auto* passes : {&recipe.gates, &recipe.mapping, &recipe.abc})
      for (const Pass& pass : *passes) EXPECT_FALSE(pass.why.empty()) << pass.command;
  }
}

// The passes that Yosys 0.23 documents for `abc -liberty -constr` ("yosys -p 'help abc'").
TEST_F(RecipeTest, BalancedIsWhatYosysDoesByDefault) {
  EXPECT_EQ(abc_argument(load_recipe({}).abc, 5000),
            "+strash;&get,-n;&fraig,-x;&put;scorr;dc2;dretime;retime,-o,-D,5000;strash;&get,-n;"
            "&dch,-f;&nf,-D,5000;&put;buffer;upsize,-D,5000;dnsize,-D,5000;stime,-p");
}

TEST_F(RecipeTest, ScriptsOfOnesOwnTakeThePassesPlace) {
  const auto script = write("mine.ys", "synth {flatten} -top {top}\nabc -liberty {library}\n");
  const Recipe recipe = load_recipe({.script = script});
  EXPECT_EQ(recipe.name, "mine.ys");
  EXPECT_TRUE(recipe.can_keep_modules());
  EXPECT_EQ(script_lines(recipe.mapping, {{"flatten", ""}, {"top", "t"}, {"library", "l.lib"}}),
            "synth  -top t\nabc -liberty l.lib\n");
  const auto abc = write("mine.abc", "# fast\nstrash;  map -D {period_ps}\n\n  topo # order\n");
  const Recipe mapped = load_recipe({.name = "area", .abc_script = abc});
  EXPECT_EQ(mapped.name, "area with mine.abc");
  EXPECT_EQ(abc_argument(mapped.abc, 70), "+strash;map,-D,70;topo");
}

TEST_F(RecipeTest, SaysWhatIsWrong) {
  EXPECT_EQ(message({.name = "sped"}),
            "recipe 'sped' is none of area, balanced, speed; did you mean 'speed'?");
  EXPECT_NE(message({.script = directory_ / "gone.ys"}).find("gone.ys"), std::string::npos);
  EXPECT_NE(message({.script = write("none.ys", "# nothing\n\n")}).find("has no commands"),
            std::string::npos);
  EXPECT_NE(message({.script = write("typo.ys", "synth\nabc -liberty {libary}\n")})
                .find("typo.ys:2: {libary} is none of the placeholders {top}, {library}"),
            std::string::npos);
  EXPECT_NE(message({.script = write("a.ys", "synth\n"), .abc_script = write("a.abc", "map\n")})
                .find("does not use it"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::synth
