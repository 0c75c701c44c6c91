// SPDX-License-Identifier: Apache-2.0
#include "arch/config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "base/error.h"

namespace weft::arch {
namespace {

/// What the reader says about a file f with this text; empty if it is legal.
std::string errors(const std::string& text) {
  try {
    (void)parse_config(text, "f");
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

/// The same for one more line, the third, after the two that every file needs.
std::string errors_of_line(const std::string& line) {
  return errors("kind: tensor_array\nname: a\n" + line + "\n");
}

TensorArray array_of(const std::string& text) {
  return std::get<TensorArray>(parse_config(text, "f").design);
}

TEST(Reader, FillsInDefaults) {
  const TensorArray array = array_of("kind: tensor_array\nname: a\n");
  EXPECT_EQ(array.rows, 16);
  EXPECT_EQ(array.dataflow, Dataflow::weight_stationary);
  EXPECT_EQ(array.max_depth, 16);
  EXPECT_EQ(array.accumulator_width, 20);  // 16 * (-128 * -128) = 2^18, signed
}

TEST(Reader, ReadsEveryParameter) {
  const TensorArray expected{"x",       3,
                             200,       Dataflow::output_stationary,
                             {5, true}, {16, false},
                             4,         77,
                             40,        Overflow::saturate,
                             1,         2,
                             9,         1,
                             1,         Skew::external,
                             64};
  EXPECT_EQ(array_of(R"(
kind: tensor_array
name: x
rows: 3
cols: 200
dataflow: output_stationary
stationary_format: int5
moving_format: uint16
macs_per_pe: 4
max_depth: 77
accumulator_width: 40
overflow: saturate
multiplier_stages: 1
adder_stages: 2
pe_registers: 9
stationary_buffers: 1
load_rows_per_cycle: 1
skew: external
tag_width: 64
)"),
            expected);
}

TEST(Reader, TakesJsonAnchorsAndComments) {
  const TensorArray expected = array_of("kind: tensor_array\nname: a\nrows: 4\ncols: 4\n");
  EXPECT_EQ(array_of(R"({"kind": "tensor_array", "name": "a", "rows": 4, "cols": 4})"), expected);
  EXPECT_EQ(array_of("# c\n--- \nkind: tensor_array\nname: 'a'\nrows: &n 4 # c\ncols: *n\n...\n"),
            expected);
  EXPECT_EQ(array_of("\xef\xbb\xbfkind: tensor_array\r\nname: a\r\nrows: 4\r\ncols: 4\r\n"),
            expected);
  EXPECT_EQ(array_of("kind: tensor_array\nname: a\nrows:\t4\ncols: 4.0\n"), expected);
}

TEST(Reader, ReportsAllProblemsInTheOrderOfTheFile) {
  EXPECT_EQ(errors("kind: tensor_array\n"
                   "rows: 300\n"
                   "colls: 4\n"
                   "dataflow: weight_stationery\n"
                   "tag_width: [1]\n"
                   "load_rows_per_cycle: 3\n"
                   "tag_width: 3\n"),
            "f:1:1: name: missing; legal: a Verilog identifier of 1 to 64 characters, no keyword\n"
            "f:2:7: rows: 300 is outside 1..256\n"
            "f:3:1: colls: unknown parameter of a tensor_array; did you mean 'cols'?\n"
            "f:4:11: dataflow: 'weight_stationery' is not one of weight_stationary | "
            "output_stationary | input_stationary; did you mean 'weight_stationary'?\n"
            "f:5:12: tag_width: expected an integer, 1..64; found a list\n"
            "f:6:22: load_rows_per_cycle: 3 is not one of 1 | 2 | 4\n"
            "f:7:1: tag_width: given twice, first in line 5");
}

TEST(Reader, TakesOnlyPlainIntegers) {
  const std::string legal = "f:3:7: rows: expected an integer, 1..256; found ";
  EXPECT_EQ(errors_of_line("rows: \"16\""), legal + "\"16\" (a string); remove the quotes");
  EXPECT_EQ(errors_of_line("rows: 0x10"), legal + "'0x10'; write it in plain decimal digits");
  EXPECT_EQ(errors_of_line("rows: 1_000"), legal + "'1_000'; write it in plain decimal digits");
  EXPECT_EQ(errors_of_line("rows: 010"), legal + "'010'; write it in plain decimal digits");
  EXPECT_EQ(errors_of_line("rows: +5"), legal + "'+5'; write it in plain decimal digits");
  EXPECT_EQ(errors_of_line("rows: 1:30"), legal + "'1:30'; write it in plain decimal digits");
  EXPECT_EQ(errors_of_line("rows: true"), legal + "true (a boolean)");
  EXPECT_EQ(errors_of_line("rows: yes"), legal + "'yes'");
  EXPECT_EQ(errors_of_line("rows: 16.5"), legal + "16.5");
  EXPECT_EQ(errors_of_line("rows: 1e-1"), legal + "1e-1");
  EXPECT_EQ(errors_of_line("rows: .inf"), legal + "'.inf'");
  EXPECT_EQ(errors_of_line("rows: {a: 1}"), legal + "a mapping");
  EXPECT_EQ(errors_of_line("rows: auto"), legal + "'auto'");
  EXPECT_EQ(errors_of_line("rows:"), "f:3:1: rows: expected an integer, 1..256; found nothing");
  EXPECT_EQ(errors_of_line("rows: !!int \"5\""),
            "f:3:7: rows: tags such as tag:yaml.org,2002:int are not supported");
}

TEST(Reader, TellsTheBounds) {
  for (const char* found : {"0", "257", "-1", "99999999999999999999999", "-9223372036854775809",
                            "1e300", "4.0e9", "-0"}) {
    EXPECT_EQ(errors_of_line(std::string("rows: ") + found),
              std::string("f:3:7: rows: ") + found + " is outside 1..256");
  }
  EXPECT_EQ(errors_of_line("rows: 1"), "");
  EXPECT_EQ(errors_of_line("rows: 256"), "");
  EXPECT_EQ(errors_of_line("rows: 2.56e2"), "");
}

TEST(Reader, KnowsWordsFromOtherValues) {
  EXPECT_EQ(errors_of_line("accumulator_width: automatic"),
            "f:3:20: accumulator_width: expected an integer, 2..64, or auto; found 'automatic'");
  EXPECT_EQ(errors_of_line("overflow: 3"), "f:3:11: overflow: expected wrap | saturate; found 3");
  EXPECT_EQ(errors_of_line("moving_format: int32"),
            "f:3:16: moving_format: 'int32' is not one of int2..int16 | uint2..uint16");
  EXPECT_EQ(
      errors_of_line("moving_format: unit8"),
      "f:3:16: moving_format: 'unit8' is not one of int2..int16 | uint2..uint16; did you mean "
      "'uint8'?");
}

TEST(Reader, TakesVerilogNamesOnly) {
  const auto with_name = [](const std::string& name) {
    return errors("kind: tensor_array\nname: " + name + "\n");
  };
  EXPECT_EQ(with_name("_A9"), "");
  EXPECT_EQ(with_name("\"true\""), "");
  EXPECT_EQ(with_name("true"),
            "f:2:7: name: expected a Verilog identifier of 1 to 64 characters, no keyword; found "
            "true (a boolean); put it in quotes");
  for (const std::string keyword : {"module", "logic", "wreal"}) {
    EXPECT_EQ(
        with_name(keyword),
        "f:2:7: name: '" + keyword +
            "' is a keyword of Verilog; legal: a Verilog identifier of 1 to 64 characters, no "
            "keyword");
  }
  for (const std::string bad : {"9a", "a-b", "a b", "grün", "\"\"", "\"a\\n\""}) {
    EXPECT_NE(with_name(bad).find("is not a Verilog identifier"), std::string::npos) << bad;
  }
  EXPECT_EQ(with_name(std::string(64, 'a')), "");
  EXPECT_NE(with_name(std::string(65, 'a')), "");
}

TEST(Reader, KnowsTheRulesBetweenParameters) {
  EXPECT_EQ(errors_of_line("dataflow: output_stationary\nload_rows_per_cycle: 2"),
            "f:4:22: load_rows_per_cycle: 2 is not possible with output_stationary, which loads "
            "nothing; leave it out");
  EXPECT_EQ(errors_of_line("accumulator_width: 15"),
            "f:3:20: accumulator_width: 15 does not hold one product of 8-bit and 8-bit operands; "
            "give at least 16");
  EXPECT_EQ(errors_of_line("accumulator_width: 16"), "");
  EXPECT_EQ(errors_of_line("accumulator_width: 7\nmoving_format: uint5\nstationary_format: int2"),
            "");
  EXPECT_NE(errors_of_line("accumulator_width: 6\nmoving_format: uint5\nstationary_format: int2"),
            "");
  // A parameter that is wrong itself is not held against others.
  EXPECT_EQ(errors_of_line("accumulator_width: 15\nmoving_format: int99"),
            "f:4:16: moving_format: 'int99' is not one of int2..int16 | uint2..uint16");
}

TEST(Reader, KnowsTheKind) {
  EXPECT_EQ(errors("name: a\nrows: 0\n"),
            "f:1:1: kind: missing; legal: tensor_array | switch | link");
  EXPECT_EQ(errors("kind: tensor_aray\nname: a\n"),
            "f:1:7: kind: 'tensor_aray' is not one of tensor_array | switch | link; did you mean "
            "'tensor_array'?");
  EXPECT_EQ(errors("kind: 3\nname: a\n"),
            "f:1:7: kind: expected tensor_array | switch | link; found 3");
}

TEST(Reader, RefusesWhatIsNoConfiguration) {
  EXPECT_EQ(errors(""), "f: the file is empty; it must give at least a kind");
  EXPECT_EQ(errors("# nothing\n"), "f: the file is empty; it must give at least a kind");
  EXPECT_EQ(errors("- 1\n"), "f:1:1: expected `parameter: value` lines, found a list");
  EXPECT_EQ(errors("hello"), "f:1:1: expected `parameter: value` lines, found 'hello'");
  EXPECT_EQ(errors("kind: tensor_array\nname: a\n---\nkind: tensor_array\n"),
            "f:4:1: a second document; a file holds exactly one");
  EXPECT_EQ(errors(std::string("\x7f"
                               "ELF\0\0",
                               6)),
            "f: not a text file: byte 0 is 0x7f");
  EXPECT_EQ(errors("kind: tensor_array\n\tname: a\n"),
            "f:2:1: not valid YAML: illegal tab when looking for indentation");
  EXPECT_EQ(errors("{\"kind\": \"tensor_array\""),
            "f:1:1: not valid YAML: end of map flow not found");
  EXPECT_EQ(errors("kind: *nowhere\n"),
            "f:1:7: not valid YAML: the referenced anchor is not defined");
  EXPECT_NE(errors(std::string(100000, '[')), "");
  EXPECT_NE(errors("? [a]\n: 1\n").find("f:1:3: a parameter's name must be a word, found a list"),
            std::string::npos);
}

TEST(Reader, SurvivesGarbage) {
  std::mt19937_64 random(1);
  const std::string alphabet = "abk: -?[]{},&*!|>'\"%@`#\n\t\\0123456789";
  for (int i = 0; i < 20000; ++i) {
    std::string text = i % 2 == 0 ? "kind: tensor_array\nname: a\n" : "";
    for (std::size_t length = random() % 40; length > 0; --length) {
      text += alphabet[random() % alphabet.size()];
    }
    EXPECT_NO_THROW((void)errors(text)) << text;
  }
}

TEST(LoadConfig, NamesTheFile) {
  EXPECT_THROW((void)load_config("/nonexistent/a.yaml"), UserError);
  EXPECT_THROW((void)load_config("/"), UserError);
  EXPECT_THROW((void)load_config("/dev/zero"), UserError);
}

TEST(CanonicalForm, GivesEveryParameterInOrder) {
  EXPECT_EQ(canonical_form(parse_config("{name: a, tag_width: 3, kind: tensor_array}", "f")),
            R"(kind: tensor_array
name: a
rows: 16
cols: 16
dataflow: weight_stationary
stationary_format: int8
moving_format: int8
macs_per_pe: 1
max_depth: 16
accumulator_width: 20
overflow: wrap
multiplier_stages: 0
adder_stages: 0
pe_registers: 1
stationary_buffers: 2
load_rows_per_cycle: 1
skew: internal
tag_width: 3
operand_isolation: false
clock_gating: none
)");
}

TEST(CanonicalForm, ReadsBackToTheSameDesign) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 500; ++i) {
    TensorArray array = random_tensor_array(random);
    if (i == 0) array.name = "True";
    const Config config = config_of(array);
    const Config again = parse_config(canonical_form(config), "canonical");
    ASSERT_EQ(again, config) << canonical_form(config);
    ASSERT_EQ(digest(again), digest(config));
  }
}

TEST(Digest, DependsOnTheDesignNotOnItsSpelling) {
  const auto digest_of = [](const std::string& text) { return digest(parse_config(text, "f")); };
  const std::string digest_a = digest_of("kind: tensor_array\nname: a\n");
  EXPECT_EQ(digest_of("{name: a, accumulator_width: 20, rows: 16.0, kind: tensor_array}"),
            digest_a);
  EXPECT_NE(digest_of("kind: tensor_array\nname: b\n"), digest_a);
  EXPECT_NE(digest_of("kind: tensor_array\nname: a\noverflow: saturate\n"), digest_a);
}

TEST(Presets, AreLegalAndNamedAfterTheirFiles) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(WEFT_SOURCE_DIR "/arch/presets")) {
    if (file.is_directory()) continue;
    const Config config = load_config(file.path());
    EXPECT_EQ(to_text(values_of(config).at("name")), file.path().stem());
    EXPECT_TRUE(warnings(config).empty()) << file.path();
    ++count;
  }
  EXPECT_GE(count, 5);
}

}  // namespace
}  // namespace weft::arch
