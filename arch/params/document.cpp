// SPDX-License-Identifier: Apache-2.0
#include "arch/params/document.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/text.h"

namespace weft::arch {
namespace {

using Type = FoundValue::Type;

Place place_of(const YAML::Mark& mark) {
  return mark.is_null() ? Place{} : Place{mark.line + 1, mark.column + 1};
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool is_null_word(std::string_view word) {
  return is_one_of(word, {"", "~", "null", "Null", "NULL"});
}

bool is_boolean_word(std::string_view word) {
  return is_one_of(word, {"true", "True", "TRUE", "false", "False", "FALSE"});
}

/// Takes the leading digits off `text`; whether there were any.
bool take_digits(std::string_view& text) {
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(end);
  return end > 0;
}

/// -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool leading_zero = text.starts_with('0');
  const std::size_t before = text.size();
  if (!take_digits(text) || (leading_zero && before - text.size() > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!take_digits(text)) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (!take_digits(text)) return false;
  }
  return text.empty();
}

/// The integer that a JSON number is, clamped to 64 bits; nothing if it has a fraction.
std::optional<std::int64_t> integer_of(const std::string& number) {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
  if (number.find_first_of(".eE") == std::string::npos) {
    std::int64_t value = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), value);
    if (result.ec == std::errc()) return value;
    return number.front() == '-' ? least : greatest;
  }
  const double value = std::strtod(number.c_str(), nullptr);
  constexpr double exact_below = 9007199254740992.0;  // 2^53
  if (std::abs(value) >= exact_below) return value < 0 ? least : greatest;
  if (value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

FoundValue plain_scalar(std::string text) {
  FoundValue found;
  found.type = Type::word;
  if (is_null_word(text)) {
    found.type = Type::nothing;
  } else if (is_boolean_word(text)) {
    found.type = Type::boolean;
  } else if (is_json_number(text)) {
    const auto integer = integer_of(text);
    found.type = integer ? Type::integer : Type::real;
    found.integer = integer.value_or(0);
  }
  found.text = std::move(text);
  return found;
}

FoundValue found_value(const YAML::Node& node) {
  FoundValue found;
  if (node.IsSequence()) {
    found.type = Type::list;
  } else if (node.IsMap()) {
    found.type = Type::mapping;
  } else if (node.IsScalar() && node.Tag() == "?") {
    found = plain_scalar(node.Scalar());
  } else if (node.IsScalar()) {
    found.type = Type::word;
    found.text = node.Scalar();
    found.quoted = true;
  }
  found.place = place_of(node.Mark());
  return found;
}

/// Control characters mark a binary file; the YAML parser's words about one would help nobody.
void require_text(std::string_view text, const std::string& file) {
  const auto binary = std::ranges::find_if(text, [](unsigned char c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
  });
  if (binary != text.end()) {
    throw UserError(fmt::format("{}: not a text file: byte {} is 0x{:02x}", file,
                                binary - text.begin(), static_cast<unsigned char>(*binary)));
  }
}

YAML::Node parse_single(std::string_view text, const std::string& file) {
  const auto refuse = [&](Place place, const std::string& why) {
    Problems problems(file);
    problems.add(place, why);
    problems.throw_if_any();
  };
  std::vector<YAML::Node> documents;
  try {
    documents = YAML::LoadAll(std::string(text));
  } catch (const YAML::Exception& error) {
    refuse(place_of(error.mark), "not valid YAML: " + error.msg);
  }
  if (documents.empty())
    throw UserError(file + ": the file is empty; it must give at least a kind");
  if (documents.size() > 1) {
    refuse(place_of(documents[1].Mark()), "a second document; a file holds exactly one");
  }
  const YAML::Node& root = documents.front();
  if (!root.IsMap()) {
    refuse(place_of(root.Mark()), fmt::format("expected `parameter: value` lines, found {}",
                                              found_value(root).describe()));
  }
  return root;
}

bool has_explicit_tag(const YAML::Node& node) {
  const std::string& tag = node.Tag();
  return !tag.empty() && tag != "?" && tag != "!";
}

}  // namespace

std::string FoundValue::describe() const {
  switch (type) {
    case Type::nothing:
      return "nothing";
    case Type::boolean:
      return text + " (a boolean)";
    case Type::integer:
    case Type::real:
      return base::printable(text);
    case Type::list:
      return "a list";
    case Type::mapping:
      return "a mapping";
    case Type::word:
      break;
  }
  return quoted ? fmt::format("\"{}\" (a string)", base::printable(text))
                : fmt::format("'{}'", base::printable(text));
}

void Problems::add(Place place, const std::string& text) {
  problems_.push_back({place, fmt::format("{}:{}:{}: {}", file_, place.line, place.column, text)});
}

void Problems::throw_if_any() const {
  if (problems_.empty()) return;
  std::vector<Problem> sorted = problems_;
  std::ranges::stable_sort(sorted, {}, &Problem::place);
  std::string text;
  for (const Problem& problem : sorted) text += (text.empty() ? "" : "\n") + problem.line;
  throw UserError(text);
}

Document parse_document(std::string_view text, const std::string& file, Problems& problems) {
  require_text(text, file);
  const YAML::Node root = parse_single(text, file);
  Document document{place_of(root.Mark()), {}};
  std::map<std::string, Place> seen;
  for (const auto& pair : root) {
    const YAML::Node& key = pair.first;
    const YAML::Node& node = pair.second;
    const Place place = place_of(key.Mark());
    if (!key.IsScalar()) {
      problems.add(place,
                   "a parameter's name must be a word, found " + found_value(key).describe());
      continue;
    }
    const auto [first, is_new] = seen.try_emplace(key.Scalar(), place);
    if (!is_new) {
      problems.add(place, fmt::format("{}: given twice, first in line {}",
                                      base::printable(key.Scalar()), first->second.line));
    } else if (has_explicit_tag(node)) {
      problems.add(place_of(node.Mark()),
                   fmt::format("{}: tags such as {} are not supported",
                               base::printable(key.Scalar()), base::printable(node.Tag())));
    } else {
      FoundValue value = found_value(node);
      // The parser places a missing value at whatever comes next.
      if (value.type == Type::nothing) value.place = place;
      document.entries.push_back({key.Scalar(), place, std::move(value)});
    }
  }
  return document;
}

bool needs_quotes(std::string_view word) {
  return is_null_word(word) || is_boolean_word(word) || is_json_number(word);
}

}  // namespace weft::arch
