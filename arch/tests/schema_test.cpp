// SPDX-License-Identifier: Apache-2.0
#include "arch/params/schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "arch/config.h"
#include "arch/params/reader.h"
#include "base/error.h"
#include "base/files.h"

namespace weft::arch {
namespace {

using nlohmann::ordered_json;

template <class T>
const T& one_of(const std::vector<T>& items, std::mt19937_64& random) {
  return items[random() % items.size()];
}

ordered_json random_document(const Kind& kind, std::mt19937_64& random) {
  ordered_json document = ordered_json::object();
  for (const auto& [name, value] : random_values(kind, random)) {
    document[name] = std::visit([](const auto& v) { return ordered_json(v); }, value);
  }
  return document;
}

/// A value that is legal for the parameter alone.
ordered_json drawn_json(const Parameter& parameter, std::mt19937_64& random) {
  if (const auto* list = std::get_if<IntList>(&parameter.domain)) {
    ordered_json elements = ordered_json::array();
    std::uniform_int_distribution<std::uint64_t> element(list->min, list->max);
    for (auto size = random() % 5; size > 0; --size) elements.push_back(element(random));
    return elements;
  }
  return std::visit([](const auto& v) { return ordered_json(v); }, draw(parameter.domain, random));
}

/// A value that is wrong for most parameters and right for some.
ordered_json random_value(const Kind& kind, std::mt19937_64& random) {
  static const std::vector<ordered_json> traps = {nullptr,
                                                  true,
                                                  false,
                                                  0,
                                                  -1,
                                                  1,
                                                  2,
                                                  3,
                                                  4,
                                                  5,
                                                  15,
                                                  16,
                                                  17,
                                                  64,
                                                  65,
                                                  255,
                                                  256,
                                                  257,
                                                  1048576,
                                                  1048577,
                                                  16.0,
                                                  16.5,
                                                  -2.0,
                                                  1e300,
                                                  9007199254740993,
                                                  "",
                                                  "16",
                                                  "auto",
                                                  "Auto",
                                                  "automatic",
                                                  "wrap",
                                                  "int8",
                                                  "int17",
                                                  "int1",
                                                  "uint16",
                                                  "INT8",
                                                  "tensor_array",
                                                  "module",
                                                  "a",
                                                  "a\n",
                                                  "_",
                                                  "9a",
                                                  "a b",
                                                  "grün",
                                                  std::string(64, 'a'),
                                                  std::string(65, 'a'),
                                                  "true",
                                                  "null",
                                                  ordered_json::array(),
                                                  {1, 2},
                                                  ordered_json::object(),
                                                  {{"rows", 3}},
                                                  "2",
                                                  "single_cycle",
                                                  1.0,
                                                  {0, 1, 2, 3},
                                                  {-1},
                                                  {256},
                                                  {1.5},
                                                  {"a"},
                                                  {true},
                                                  {{1}},
                                                  {18446744073709551615U},
                                                  "islip",
                                                  "crossbar",
                                                  "address"};
  if (random() % 3 != 0) return one_of(traps, random);
  return drawn_json(one_of(kind.parameters, random), random);
}

/// Changes a document in a few places: most results are illegal, many only just.
void disturb(ordered_json& document, const Kind& kind, std::mt19937_64& random) {
  for (auto changes = 1 + random() % 3; changes > 0; --changes) {
    const Parameter& parameter = one_of(kind.parameters, random);
    switch (random() % 6) {
      case 0:
        document.erase(parameter.name);
        break;
      case 1:
        document["row"] = 3;
        break;
      case 2:
      case 3:
        document[parameter.name] = random_value(kind, random);
        break;
      default:  // legal alone: only the rules between parameters can be broken
        document[parameter.name] = drawn_json(parameter, random);
    }
  }
}

bool reader_accepts(const std::string& text, const std::vector<const Kind*>& kinds) {
  try {
    (void)read_configuration(text, "document", kinds);
  } catch (const UserError&) {
    return false;
  }
  return true;
}

/// Compares verdicts of the schema of `kinds` with those of the reader, {"document": ...,
/// "accepted": ...} each. The other reader is the jsonschema package of Debian's Python, an
/// implementation of JSON Schema that shares nothing with this project.
void expect_agreement(const std::vector<const Kind*>& kinds, const ordered_json& cases) {
  std::string pattern = (std::filesystem::temp_directory_path() / "weft_schema_XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path directory = pattern;
  base::write_file_atomic(directory / "schema.json", json_schema(kinds).dump());
  base::write_file_atomic(directory / "cases.json", cases.dump());
  const std::string command = fmt::format(
      "/usr/bin/python3 -I {}/arch/tests/compare_with_schema.py {}/schema.json {}/cases.json",
      WEFT_SOURCE_DIR, pattern, pattern);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::filesystem::remove_all(directory);
}

class SchemaOf : public testing::TestWithParam<const Kind*> {};

// Checks are what a schema cannot say: what only they refuse, the schema accepts.
TEST_P(SchemaOf, AcceptsExactlyWhatTheReaderAcceptsButForChecks) {
  const Kind& kind = *GetParam();
  Kind unchecked = kind;
  unchecked.checks.clear();
  constexpr std::uint64_t seed = 6;
  std::mt19937_64 random(seed);
  ordered_json cases = ordered_json::array();
  constexpr int documents = 1500;
  int accepted = 0;
  for (int i = 0; i < documents; ++i) {
    ordered_json document = random_document(kind, random);
    if (i % 5 != 0) disturb(document, kind, random);
    const bool legal = reader_accepts(document.dump(), kinds());
    const bool legal_to_schema = reader_accepts(document.dump(), {&unchecked});
    EXPECT_TRUE(legal || i % 5 != 0) << document.dump();
    EXPECT_TRUE(legal_to_schema || !legal) << document.dump();
    accepted += legal_to_schema ? 1 : 0;
    cases.push_back({{"document", document}, {"accepted", legal_to_schema}});
  }
  // Illegal and legal documents alike, or the comparison shows nothing.
  EXPECT_GT(accepted, documents * 3 / 10) << "seed " << seed;
  EXPECT_LT(accepted, documents * 7 / 10) << "seed " << seed;
  expect_agreement({&kind}, cases);
  // The schema of all kinds consists of theirs; a few documents show that it asks the right one.
  constexpr int few = 200;
  expect_agreement(kinds(), ordered_json(cases.begin(), cases.begin() + few));
}

TEST_P(SchemaOf, SaysWhatItCannotCheck) {
  const std::string description = json_schema({GetParam()})["description"];
  for (const Check& check : GetParam()->checks) {
    EXPECT_NE(description.find(check.doc), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryKind, SchemaOf, testing::ValuesIn(kinds()),
                         [](const auto& kind) { return kind.param->name; });

TEST(Schema, IsExactForTensorArrays) {
  EXPECT_TRUE(kinds().front()->checks.empty());
  EXPECT_EQ(kinds().front()->name, "tensor_array");
}

/// Two kinds in one schema: each document is held against its own.
TEST(Schema, OfSeveralKindsAsksForTheKind) {
  Kind other{"other", "Another.", {{"kind", Choice{{"other"}, {}}, {}, "Kind."}}, {}};
  const ordered_json schema = json_schema({kinds().front(), &other});
  EXPECT_EQ(schema["properties"]["kind"]["enum"], ordered_json({"tensor_array", "other"}));
  EXPECT_EQ(schema["allOf"].size(), 2U);
  EXPECT_EQ(schema["allOf"][1]["if"]["properties"]["kind"]["const"], "other");
}

}  // namespace
}  // namespace weft::arch
