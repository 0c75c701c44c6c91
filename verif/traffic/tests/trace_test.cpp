// SPDX-License-Identifier: Apache-2.0
#include "verif/traffic/trace.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace weft::verif {
namespace {

std::string problem_of(std::string_view text) {
  try {
    (void)parse_trace(text, "t.csv", 4);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Trace, ReadsPackets) {
  const auto packets = parse_trace(
      "# made by hand\r\ncycle,source,destination,flits,class\n\n0,1,2,3\r\n 7 , 0 , 3 , 1 , 2 "
      "\n7,0,0,5",
      "t.csv", 4);
  ASSERT_EQ(packets.size(), 3U);
  EXPECT_EQ(packets[0], (Injection{0, 1, 2, 3, 0, 0}));
  EXPECT_EQ(packets[1], (Injection{7, 0, 3, 1, 2, 1}));
  EXPECT_EQ(packets[2], (Injection{7, 0, 0, 5, 0, 2}));
}

TEST(Trace, SaysWhereItIsMalformed) {
  EXPECT_EQ(problem_of("0,1,2\n"),
            "t.csv:1: 3 columns instead of cycle,source,destination,flits[,class]");
  EXPECT_EQ(problem_of("0,1,2,1\n\n1,4,2,1\n"),
            "t.csv:3: source: '4' is not a whole number in 0..3");
  EXPECT_EQ(problem_of("0,1,-2,1\n"), "t.csv:1: destination: '-2' is not a whole number in 0..3");
  EXPECT_EQ(problem_of("0,1,2,0\n"), "t.csv:1: flits: '0' is not a whole number in 1..1073741824");
  EXPECT_EQ(problem_of("0,1,2,1,x\n"), "t.csv:1: class: 'x' is not a whole number in 0..255");
  EXPECT_EQ(problem_of("5,1,2,1\n3,2,1,1\n4,1,2,1\n"),
            "t.csv:3: cycle 4 of source 1 comes after its cycle 5");
  EXPECT_EQ(problem_of("# nothing\n"), "t.csv: no packets in it");
  EXPECT_EQ(problem_of("a,0,0,1\nb,0,0,1\n"),
            "t.csv:1: cycle: 'a' is not a whole number in 0..18446744073709551614\n"
            "t.csv:2: cycle: 'b' is not a whole number in 0..18446744073709551614");
}

TEST(Trace, ATruncatedFloodOfProblems) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "?\n";
  const std::string problems = problem_of(text);
  EXPECT_EQ(std::count(problems.begin(), problems.end(), '\n'), 9);
}

}  // namespace
}  // namespace weft::verif
