// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace weft::arch {

/// The value of a list: integers without sign, of up to 64 bits.
using IntegerList = std::vector<std::uint64_t>;

/// The value of one parameter as a configuration file writes it.
using Value = std::variant<std::int64_t, std::string, bool, IntegerList>;

/// Values of a design's parameters, by name.
using Values = std::map<std::string, Value>;

/// The word that leaves a value to be computed from the other parameters.
inline constexpr const char* automatic_word = "auto";

[[nodiscard]] inline bool is_automatic(const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr && *word == automatic_word;
}

/// The value as YAML writes it, without quotes: `16`, `islip`, `true`, `[0, 1, 1]`.
[[nodiscard]] std::string to_text(const Value& value);

}  // namespace weft::arch
