// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

namespace weft::base {
namespace {

const std::vector<std::string> names = {"rows", "cols", "accumulator_width", "tag_width", "int8"};

TEST(Nearest, FindsTypos) {
  EXPECT_EQ(nearest("rosw", names), "rows");   // swapped neighbours
  EXPECT_EQ(nearest("col", names), "cols");    // a letter left out
  EXPECT_EQ(nearest("rrows", names), "rows");  // a letter too many
  EXPECT_EQ(nearest("ROWS", names), "rows");
  EXPECT_EQ(nearest("tag-width", names), "tag_width");
  EXPECT_EQ(nearest("acumulater_width", names), "accumulator_width");
  EXPECT_EQ(nearest("accum", names), "accumulator_width");  // a beginning
}

TEST(Nearest, DoesNotGuessWildly) {
  EXPECT_EQ(nearest("height", names), std::nullopt);
  EXPECT_EQ(nearest("x", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest("int32", names), std::nullopt);  // other digits: another value, no typo
  EXPECT_EQ(nearest(std::string(1000, 'r'), names), std::nullopt);
}

TEST(DidYouMean, IsEmptyWithoutCandidate) {
  EXPECT_EQ(did_you_mean("rosw", names), "; did you mean 'rows'?");
  EXPECT_EQ(did_you_mean("height", names), "");
}

TEST(Printable, KeepsAMessageOnOneLine) {
  EXPECT_EQ(printable("a\nb\x1b"), "a\\x0ab\\x1b");
  EXPECT_EQ(printable("größe"), "größe");
  EXPECT_EQ(printable(std::string(100, 'a')), std::string(60, 'a') + "...");
}

}  // namespace
}  // namespace weft::base
