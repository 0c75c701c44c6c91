// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::synth {

/// `name : value;` or `name (value, ...);`. Strings come without their quotes, as they stand in the
/// file: line continuations within are not removed.
struct LibertyAttribute {
  std::string_view name;
  std::vector<std::string_view> values;
  std::size_t offset = 0;  ///< of the name in the text
};

/// `name (arguments) { ... }`
struct LibertyGroup {
  std::string_view name;
  std::vector<std::string_view> arguments;
  std::vector<LibertyAttribute> attributes;
  std::vector<LibertyGroup> groups;
  std::size_t offset = 0;  ///< of the name in the text
  std::size_t body = 0;    ///< of the first character behind the opening brace
  std::size_t end = 0;     ///< of the closing brace

  /// The last attribute of this name, as tools take repeated ones; null if there is none.
  [[nodiscard]] const LibertyAttribute* find(std::string_view attribute) const;
  /// Its only value; empty if it isn't there or has several.
  [[nodiscard]] std::string_view value(std::string_view attribute) const;
  /// The first group of this name (and first argument, unless empty), or null.
  [[nodiscard]] const LibertyGroup* group(std::string_view kind,
                                          std::string_view argument = {}) const;
};

/// A Liberty file as a tree of groups. The text must outlive it.
class LibertyTree {
 public:
  /// Throws UserError naming `file` and the line of the first thing that is not Liberty.
  LibertyTree(std::string_view text, std::string file);

  /// The group `library`.
  [[nodiscard]] const LibertyGroup& library() const { return library_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  /// The number that an attribute's only value is. Throws UserError if it is none.
  [[nodiscard]] double number(const LibertyAttribute& attribute) const;
  /// As above; nothing if the group has no such attribute.
  [[nodiscard]] std::optional<double> number(const LibertyGroup& group,
                                             std::string_view attribute) const;
  /// The numbers of all values of an attribute, each of which may be a list: "1, 2", "3, 4".
  [[nodiscard]] std::vector<double> numbers(const LibertyAttribute& attribute) const;
  /// The middle one of the values of a table, by size: a usual delay, constraint or energy. 0 if it
  /// has none.
  [[nodiscard]] double middle(const LibertyGroup& table) const;

  /// Throws UserError: "FILE:LINE: not a Liberty library: WHAT".
  [[noreturn]] void fail(std::size_t offset, const std::string& what) const;

 private:
  std::string_view text_;
  std::string file_;
  LibertyGroup library_;
};

/// A quantity such as "10ps" or "1kohm", as a number and its unit. The number is 1 if there is
/// none.
struct LibertyQuantity {
  double count = 1;
  std::string unit;  ///< in lower case
};
[[nodiscard]] std::optional<LibertyQuantity> parse_quantity(std::string_view text);

}  // namespace weft::synth
