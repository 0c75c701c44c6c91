// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "arch/params/declaration.h"
#include "arch/params/explain.h"
#include "arch/params/random.h"
#include "arch/params/reader.h"
#include "arch/params/schema.h"
#include "base/error.h"

namespace weft::arch {
namespace {

/// A design with a parameter of each type.
struct Toy {
  bool flag = false;
  int size = 3;
  int stages = 1;
  std::vector<int> weights;
  std::vector<std::uint64_t> places;

  bool operator==(const Toy&) const = default;
};

IntegerList ones(const Toy& toy) { return IntegerList(static_cast<std::size_t>(toy.size), 1); }

std::string objection_to_weights(const Toy& toy) {
  if (toy.weights.size() == static_cast<std::size_t>(toy.size)) return {};
  return "needs `size` entries";
}

const Declaration<Toy>& toy() {
  static const auto declared = [] {
    Declaration<Toy> d("toy", "A toy.");
    d.add(&Toy::flag, {"flag", "", "A flag."});
    d.add(&Toy::size, IntRange{1, 9}, {"size", "things", "A size."});
    d.add(&Toy::stages, Enumeration<int>{{{"one", 1}, {"2", 2}, {"3", 3}}},
          {"stages", "", "Stages."});
    d.add(&Toy::weights, IntList{0, 9}, {"weights", "grams", "Weights."}, {ones, "ones"});
    d.add(&Toy::places, IntList{0, ~std::uint64_t{0}}, {"places", "places", "Places."},
          {[](const Toy&) { return IntegerList{}; }, "none"});
    d.add({"weights has size entries.", {"weights", "size"}}, objection_to_weights);
    return d;
  }();
  return declared;
}

std::string errors(const std::string& lines) {
  try {
    (void)read_configuration("kind: toy\n" + lines + "\n", "f", {&toy().kind()});
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

Toy read(const std::string& lines) {
  return toy().build(read_configuration("kind: toy\n" + lines + "\n", "f", {&toy().kind()}).values);
}

TEST(Booleans, AreTheWordsOfYaml) {
  EXPECT_TRUE(read("flag: true").flag);
  EXPECT_TRUE(read("flag: TRUE").flag);
  EXPECT_FALSE(read("flag: False").flag);
  EXPECT_FALSE(read("size: 2").flag);
  EXPECT_EQ(errors("flag: yes"), "f:2:7: flag: expected true | false; found 'yes'");
  EXPECT_EQ(errors("flag: 1"), "f:2:7: flag: expected true | false; found 1");
  EXPECT_EQ(errors("flag: \"true\""),
            "f:2:7: flag: expected true | false; found \"true\" (a string); remove the quotes");
  EXPECT_EQ(errors("flag: [true]"), "f:2:7: flag: expected true | false; found a list");
}

TEST(WordsLikeIntegers, MayBeWrittenEitherWay) {
  EXPECT_EQ(read("stages: one").stages, 1);
  EXPECT_EQ(read("stages: 2").stages, 2);
  EXPECT_EQ(read("stages: '3'").stages, 3);
  EXPECT_EQ(read("stages: 3.0").stages, 3);
  EXPECT_EQ(errors("stages: 1"), "f:2:9: stages: 1 is not one of one | 2 | 3");
  EXPECT_EQ(errors("stages: oen"),
            "f:2:9: stages: 'oen' is not one of one | 2 | 3; did you mean 'one'?");
  EXPECT_EQ(errors("stages: 2.5"), "f:2:9: stages: expected one | 2 | 3; found 2.5");
  EXPECT_EQ(errors("stages: true"), "f:2:9: stages: expected one | 2 | 3; found true (a boolean)");
}

TEST(Lists, HoldIntegers) {
  EXPECT_EQ(read("weights: [4, 5, 0]").weights, (std::vector<int>{4, 5, 0}));
  EXPECT_EQ(read("weights:\n  - 4\n  - 5.0\n  - 1e0").weights, (std::vector<int>{4, 5, 1}));
  EXPECT_EQ(read("weights: auto").weights, (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(read("size: 1\nweights: &w [7]\nplaces: *w").places, IntegerList{7});
  EXPECT_EQ(read("places: [18446744073709551615, 9007199254740993]").places,
            (IntegerList{18446744073709551615U, 9007199254740993U}));
  EXPECT_EQ(read("places: []").places, IntegerList{});
  EXPECT_EQ(errors("weights: 3"),
            "f:2:10: weights: expected a list of integers, each 0..9, or auto; found 3");
  EXPECT_EQ(errors("weights: {a: 1}"),
            "f:2:10: weights: expected a list of integers, each 0..9, or auto; found a mapping");
  EXPECT_EQ(errors("weights: ones"),
            "f:2:10: weights: expected a list of integers, each 0..9, or auto; found 'ones'");
}

TEST(Lists, AreWrongElementByElement) {
  EXPECT_EQ(errors("weights: [1, 10, x, [1], 2.5, -1, \"3\", true, null, 1e99, 0x1]"),
            "f:2:14: weights[1]: 10 is outside 0..9\n"
            "f:2:18: weights[2]: expected an integer; found 'x'\n"
            "f:2:21: weights[3]: expected an integer; found a list\n"
            "f:2:26: weights[4]: expected an integer; found 2.5\n"
            "f:2:31: weights[5]: -1 is outside 0..9\n"
            "f:2:35: weights[6]: expected an integer; found \"3\" (a string)\n"
            "f:2:40: weights[7]: expected an integer; found true (a boolean)\n"
            "f:2:46: weights[8]: expected an integer; found nothing\n"
            "f:2:52: weights[9]: 1e99 is outside 0..9\n"
            "f:2:58: weights[10]: expected an integer; found '0x1'");
  EXPECT_EQ(read("places: [-0, 1e19]").places, (IntegerList{0, 10000000000000000000U}));
  EXPECT_EQ(errors("places: [18446744073709551616, -1]"),
            "f:2:10: places[0]: 18446744073709551616 is outside 0..2^64-1\n"
            "f:2:32: places[1]: -1 is outside 0..2^64-1");
}

TEST(Checks, BlameWhatTheFileGives) {
  EXPECT_EQ(errors("weights: [1]"), "f:2:10: weights: needs `size` entries");
  EXPECT_EQ(errors("size: 2\nweights: [1]"), "f:3:10: weights: needs `size` entries");
  EXPECT_EQ(errors("size: 2"), "");
  // They are reported together with the rest, but not about parameters that are wrong themselves.
  EXPECT_EQ(errors("weights: [1]\nflag: 2"),
            "f:2:10: weights: needs `size` entries\n"
            "f:3:7: flag: expected true | false; found 2");
  EXPECT_EQ(errors("weights: [1]\nsize: 10"), "f:3:7: size: 10 is outside 1..9");
}

TEST(Values, AreWrittenAsYamlWritesThem) {
  EXPECT_EQ(to_text(Value(true)), "true");
  EXPECT_EQ(to_text(Value(std::int64_t{-3})), "-3");
  EXPECT_EQ(to_text(Value("a")), "a");
  EXPECT_EQ(to_text(Value(IntegerList{})), "[]");
  EXPECT_EQ(to_text(Value(IntegerList{1, 18446744073709551615U})), "[1, 18446744073709551615]");
}

TEST(Explain, KnowsTheTypes) {
  EXPECT_EQ(explain({&toy().kind()}, "flag"),
            "flag (toy)\n  A flag.\n  type     boolean\n  legal    true | false\n"
            "  default  false\n");
  EXPECT_EQ(explain({&toy().kind()}, "weights"),
            "weights (toy)\n  Weights.\n  type     list of integers\n"
            "  legal    a list of integers, each 0..9 | auto\n  default  auto\n  unit     grams\n"
            "  auto     ones\n  rule     weights has size entries.\n");
  EXPECT_NE(reference_page({&toy().kind()}).find("- weights has size entries.\n"),
            std::string::npos);
}

TEST(Schema, KnowsTheTypes) {
  const auto properties = json_schema({&toy().kind()})["properties"];
  EXPECT_EQ(properties["flag"]["type"], "boolean");
  EXPECT_EQ(properties["stages"]["enum"], nlohmann::ordered_json({"one", "2", "3", 2, 3}));
  EXPECT_EQ(properties["places"]["anyOf"][0]["items"]["maximum"], 18446744073709551615U);
}

TEST(RandomValues, DrawAnewUntilChecksAreSatisfied) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 200; ++i) {
    const Values values = random_values(toy().kind(), random);
    EXPECT_TRUE(toy().kind().failed_checks(values).empty());
    EXPECT_EQ(values.at("weights"), Value(automatic_word));  // nothing says how to draw them
  }
}

}  // namespace
}  // namespace weft::arch
