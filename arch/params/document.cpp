// SPDX-License-Identifier: Apache-2.0
#include "arch/params/document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

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

/// The integer of 64 bits without sign that a JSON number is; nothing if it is none.
std::optional<std::uint64_t> natural_of(const std::string& number) {
  std::uint64_t natural = 0;
  const char* end = number.data() + number.size();
  const auto result = std::from_chars(number.data(), end, natural);
  if (result.ec == std::errc() && result.ptr == end) return natural;
  const double value = std::strtod(number.c_str(), nullptr);
  if (value == 0) return 0;  // -0, too
  if (number.find_first_of(".eE") == std::string::npos) return std::nullopt;
  if (value < 0 || value >= std::ldexp(1, 64) || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::uint64_t>(value);
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
    if (integer) found.natural = natural_of(text);
  }
  found.text = std::move(text);
  return found;
}

/// Takes the events of one YAML document and keeps the scalars and lists of its first levels. (The
/// library's own tree gives an alias the place of its anchor, and reading all documents of some
/// malformed texts into trees never ends.)
class Collector : public YAML::EventHandler {
 public:
  FoundValue root;
  std::vector<std::pair<FoundValue, FoundValue>> pairs;  ///< of a root that is a mapping

  void OnDocumentStart(const YAML::Mark& mark) override { root.place = place_of(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    take({}, mark, "?", anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    take(anchors_[anchor], mark, "?", YAML::NullAnchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    FoundValue found;
    if (tag == "?") {
      found = plain_scalar(text);
    } else {
      found.type = Type::word;
      found.text = text;
      found.quoted = true;
    }
    take(std::move(found), mark, tag, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    FoundValue found;
    found.type = Type::list;
    take(std::move(found), mark, tag, anchor);
    if (depth_ == 1) list_anchor_ = anchor;
    ++depth_;
  }
  void OnSequenceEnd() override {
    --depth_;
    // Only now the list that an alias will stand for is complete.
    if (depth_ == 1 && in_value() && list_anchor_ != YAML::NullAnchor) {
      anchors_[list_anchor_] = pairs.back().second;
    }
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    FoundValue found;
    found.type = Type::mapping;
    take(std::move(found), mark, tag, anchor);
    ++depth_;
  }
  void OnMapEnd() override { --depth_; }

 private:
  void take(FoundValue found, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    found.place = place_of(mark);
    if (!tag.empty() && tag != "?" && tag != "!") found.tag = tag;
    if (anchor != YAML::NullAnchor) anchors_[anchor] = found;
    if (depth_ == 0) {
      root = std::move(found);
    } else if (depth_ == 1 && root.type == Type::mapping) {
      if (key_) {
        pairs.emplace_back(*std::exchange(key_, std::nullopt), std::move(found));
      } else {
        key_ = std::move(found);
      }
    } else if (depth_ == 2 && in_value() && pairs.back().second.type == Type::list) {
      pairs.back().second.items.push_back(std::move(found));
    }
  }

  /// Whether what comes below the first level belongs to the value of the last pair.
  [[nodiscard]] bool in_value() const {
    return root.type == Type::mapping && !key_ && !pairs.empty();
  }

  int depth_ = 0;
  YAML::anchor_t list_anchor_ = YAML::NullAnchor;
  std::optional<FoundValue> key_;
  std::map<YAML::anchor_t, FoundValue> anchors_;
};

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

/// The first document of the text, which must be a mapping and the only one.
Collector parse_single(std::string_view text, const std::string& file) {
  const auto refuse = [&](Place place, const std::string& why) {
    Problems problems(file);
    problems.add(place, why);
    problems.throw_if_any();
  };
  std::istringstream stream{std::string(text)};
  Collector document;
  Collector second;
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(document)) {
      throw UserError(file + ": the file is empty; it must give at least a kind");
    }
    if (document.root.type != Type::mapping) {
      refuse(document.root.place,
             fmt::format("expected `parameter: value` lines, found {}", document.root.describe()));
    }
    if (parser.HandleNextDocument(second)) {
      refuse(second.root.place, "a second document; a file holds exactly one");
    }
  } catch (const YAML::Exception& error) {
    refuse(place_of(error.mark), "not valid YAML: " + error.msg);
  }
  return document;
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

std::string Place::in(const std::string& file) const {
  return fmt::format("{}:{}:{}", file, line, column);
}

void Problems::add(Place place, const std::string& text) {
  problems_.push_back({place, place.in(file_) + ": " + text});
}

void Problems::throw_if_any() const {
  if (problems_.empty()) return;
  std::vector<Problem> sorted = problems_;
  std::ranges::stable_sort(sorted, {}, [](const Problem& problem) {
    return std::pair(problem.place.line, problem.place.column);
  });
  std::string text;
  for (const Problem& problem : sorted) text += (text.empty() ? "" : "\n") + problem.line;
  throw UserError(text);
}

Document parse_document(std::string_view text, const std::string& file, Problems& problems) {
  require_text(text, file);
  Collector collected = parse_single(text, file);
  Document document{collected.root.place, {}};
  std::map<std::string, Place> seen;
  for (auto& [key, value] : collected.pairs) {
    if (key.type == Type::list || key.type == Type::mapping) {
      problems.add(key.place, "a parameter's name must be a word, found " + key.describe());
      continue;
    }
    const auto [first, is_new] = seen.try_emplace(key.text, key.place);
    if (!is_new) {
      problems.add(key.place, fmt::format("{}: given twice, first in line {}",
                                          base::printable(key.text), first->second.line));
    } else if (!value.tag.empty()) {
      problems.add(value.place, fmt::format("{}: tags such as {} are not supported",
                                            base::printable(key.text), base::printable(value.tag)));
    } else {
      // The parser places a missing value at whatever comes next.
      if (value.type == Type::nothing) value.place = key.place;
      document.entries.push_back({key.text, key.place, std::move(value)});
    }
  }
  return document;
}

bool needs_quotes(std::string_view word) {
  return is_null_word(word) || is_boolean_word(word) || is_json_number(word);
}

}  // namespace weft::arch
