// SPDX-License-Identifier: Apache-2.0
#include "synth/liberty_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/error.h"

namespace weft::synth {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// A number at the beginning of `text`, which it is removed from; nothing if there is none.
std::optional<double> take_number(std::string_view& text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Reads a text into groups.
class Reader {
 public:
  explicit Reader(const LibertyTree& tree) : tree_(tree), text_(tree.text()) {}

  LibertyGroup read() {
    LibertyGroup outer;
    if (skip_space(), pos_ < text_.size()) statement(outer);
    if (outer.groups.size() != 1 || outer.groups[0].name != "library")
      fail("it must begin with library (NAME) {");
    if (skip_space(), pos_ < text_.size()) {
      if (peek() == '}') fail("a closing brace too many");
      fail("more behind the end of the library");
    }
    return std::move(outer.groups[0]);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { tree_.fail(pos_, what); }
  [[nodiscard]] char peek() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }

  /// Reads what `name` introduces into `group`.
  void statement(LibertyGroup& group) {
    const std::size_t offset = pos_;
    const std::string_view name = word();
    if (name.empty()) fail("expected a name");
    skip_space();
    if (peek() == ':') {
      ++pos_;
      const auto value = simple_value();
      group.attributes.push_back({name, {value}, offset});
      return;
    }
    if (peek() != '(') fail(fmt::format("expected ':' or '(' after '{}'", name));
    ++pos_;
    auto arguments = read_arguments();
    skip_space();
    if (peek() != '{') {
      group.attributes.push_back({name, std::move(arguments), offset});
      return;
    }
    ++pos_;
    LibertyGroup inner;
    inner.name = name;
    inner.arguments = std::move(arguments);
    inner.offset = offset;
    inner.body = pos_;
    for (;;) {
      while (skip_space(), peek() == ';') ++pos_;
      if (pos_ == text_.size()) fail("the file ends inside a group");
      if (peek() == '}') break;
      statement(inner);
    }
    inner.end = pos_++;
    while (skip_space(), peek() == ';') ++pos_;
    group.groups.push_back(std::move(inner));
  }

  /// Passes over white space, line continuations and comments.
  void skip_space() {
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (is_space(c) || c == '\\') {
        ++pos_;
      } else if (text_.substr(pos_, 2) == "/*") {
        const auto end = text_.find("*/", pos_ + 2);
        if (end == std::string_view::npos) fail("a comment without an end");
        pos_ = end + 2;
      } else if (text_.substr(pos_, 2) == "//") {
        pos_ = std::min(text_.find('\n', pos_), text_.size());
      } else {
        return;
      }
    }
  }

  /// Letters, digits and what else names consist of; in some places also characters of `more`,
  /// such as the colon of a range of bits.
  std::string_view word(std::string_view more = {}) {
    const auto begin = pos_;
    while (pos_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[pos_])) != 0 ||
            std::string_view("_.-+*!&|^'[]<>=$#").find(text_[pos_]) != std::string_view::npos ||
            more.find(text_[pos_]) != std::string_view::npos))
      ++pos_;
    return text_.substr(begin, pos_ - begin);
  }

  std::string_view quoted() {
    const auto begin = ++pos_;
    for (; pos_ < text_.size() && text_[pos_] != '"'; ++pos_)
      if (text_[pos_] == '\\') ++pos_;
    if (pos_ >= text_.size()) {
      pos_ = begin;
      fail("a string without an end");
    }
    return text_.substr(begin, pos_++ - begin);
  }

  /// The value after a colon: a string, or everything up to the semicolon or the end of the line.
  std::string_view simple_value() {
    skip_space();
    if (peek() == '"') return quoted();
    const auto end = std::min(text_.find_first_of(";\n}", pos_), text_.size());
    std::string_view value = text_.substr(pos_, end - pos_);
    pos_ = end;
    while (!value.empty() && is_space(value.back())) value.remove_suffix(1);
    return value;
  }

  std::vector<std::string_view> read_arguments() {
    std::vector<std::string_view> arguments;
    for (;;) {
      skip_space();
      const char c = peek();
      if (c == ')') {
        ++pos_;
        return arguments;
      }
      if (c == ',') {
        ++pos_;
      } else if (c == '"') {
        arguments.push_back(quoted());
      } else {
        const auto argument = word(":");
        if (argument.empty()) fail("expected an argument or ')'");
        arguments.push_back(argument);
      }
    }
  }

  const LibertyTree& tree_;
  std::string_view text_;
  std::size_t pos_ = 0;
};

}  // namespace

const LibertyAttribute* LibertyGroup::find(std::string_view attribute) const {
  const auto found =
      std::find_if(attributes.rbegin(), attributes.rend(),
                   [&](const LibertyAttribute& candidate) { return candidate.name == attribute; });
  return found == attributes.rend() ? nullptr : &*found;
}

std::string_view LibertyGroup::value(std::string_view attribute) const {
  const LibertyAttribute* found = find(attribute);
  return found != nullptr && found->values.size() == 1 ? found->values[0] : std::string_view();
}

const LibertyGroup* LibertyGroup::group(std::string_view kind, std::string_view argument) const {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const LibertyGroup& candidate) {
    return candidate.name == kind && (argument.empty() || (!candidate.arguments.empty() &&
                                                           candidate.arguments[0] == argument));
  });
  return found == groups.end() ? nullptr : &*found;
}

LibertyTree::LibertyTree(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)), library_(Reader(*this).read()) {}

double LibertyTree::number(const LibertyAttribute& attribute) const {
  if (attribute.values.size() != 1)
    fail(attribute.offset, fmt::format("{} needs one value", attribute.name));
  std::string_view text = attribute.values[0];
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  std::string_view rest = text;
  const auto value = take_number(rest);
  if (!value || !rest.empty()) fail(attribute.offset, fmt::format("'{}' is not a number", text));
  return *value;
}

std::optional<double> LibertyTree::number(const LibertyGroup& group,
                                          std::string_view attribute) const {
  const LibertyAttribute* found = group.find(attribute);
  if (found == nullptr) return std::nullopt;
  return number(*found);
}

std::vector<double> LibertyTree::numbers(const LibertyAttribute& attribute) const {
  std::vector<double> result;
  for (std::string_view text : attribute.values) {
    for (;;) {
      const auto begin = std::find_if(text.begin(), text.end(),
                                      [](char c) { return !is_space(c) && c != ',' && c != '\\'; });
      text.remove_prefix(static_cast<std::size_t>(begin - text.begin()));
      if (text.empty()) break;
      const auto value = take_number(text);
      if (!value)
        fail(attribute.offset, fmt::format("{}: '{}' is not a number", attribute.name,
                                           text.substr(0, text.find_first_of(", \n\t"))));
      result.push_back(*value);
    }
  }
  return result;
}

double LibertyTree::middle(const LibertyGroup& table) const {
  const LibertyAttribute* const values = table.find("values");
  if (values == nullptr) return 0;
  std::vector<double> all = numbers(*values);
  if (all.empty()) return 0;
  const auto middle = all.begin() + std::ssize(all) / 2;
  std::ranges::nth_element(all, middle);
  return *middle;
}

void LibertyTree::fail(std::size_t offset, const std::string& what) const {
  const auto line =
      1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  throw UserError(fmt::format("{}:{}: not a Liberty library: {}", file_, line, what));
}

std::optional<LibertyQuantity> parse_quantity(std::string_view text) {
  LibertyQuantity result;
  if (!text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '.')) {
    const auto count = take_number(text);
    if (!count) return std::nullopt;
    result.count = *count;
  }
  std::transform(text.begin(), text.end(), std::back_inserter(result.unit),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace weft::synth
