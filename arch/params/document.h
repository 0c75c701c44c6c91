// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::arch {

/// A position in a text file, both counted from 1.
struct Place {
  int line = 1;
  int column = 1;

  /// `file:line:column`, as errors begin.
  [[nodiscard]] std::string in(const std::string& file) const;
};

/// What stands for a value in a file.
struct FoundValue {
  enum class Type { nothing, boolean, integer, real, word, list, mapping };
  Type type = Type::nothing;
  std::string text;  ///< as written, without quotes; empty for lists and mappings
  bool quoted = false;
  std::string tag;           ///< an explicit one, such as !!str
  std::int64_t integer = 0;  ///< of an integer; the nearest that fits if it is too large
  std::optional<std::uint64_t> natural;  ///< of an integer without sign that fits into 64 bits
  std::vector<FoundValue> items;         ///< of a list
  Place place;

  /// The value in the words of an error message: `"16" (a string)`, `true (a boolean)`, `a list`.
  [[nodiscard]] std::string describe() const;
};

struct Entry {
  std::string key;
  Place place;
  FoundValue value;
};

/// A configuration file: one mapping of scalars and of lists of scalars; what lies deeper is not
/// looked at.
struct Document {
  Place place;  ///< of the mapping
  std::vector<Entry> entries;
};

/// Everything that is wrong with a file, collected so that it can be reported at once.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  void add(Place place, const std::string& text);
  /// Throws UserError with one line `file:line:column: text` a problem, in order of the places, if
  /// there is any.
  void throw_if_any() const;

 private:
  struct Problem {
    Place place;
    std::string line;
  };
  std::string file_;
  std::vector<Problem> problems_;
};

/// Parses YAML 1.2 (core schema, hence JSON too). Numbers are those of JSON, in which 16.0
/// and 1.6e1 are the integer 16; other spellings (0x10, 1_000, 010) are words, so that no two
/// readers can take them differently. Throws UserError if the text is not YAML, not exactly one
/// document, or not a mapping. Keys that are no plain words or stand twice, and values with
/// explicit tags, are added to `problems` and left out.
[[nodiscard]] Document parse_document(std::string_view text, const std::string& file,
                                      Problems& problems);

/// Whether a word needs quotes to be read as a word.
[[nodiscard]] bool needs_quotes(std::string_view word);

}  // namespace weft::arch
