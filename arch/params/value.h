// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace weft::arch {

/// The value of one parameter as a configuration file writes it: an integer or a word.
using Value = std::variant<std::int64_t, std::string>;

/// Values of a design's parameters, by name.
using Values = std::map<std::string, Value>;

/// The word that leaves a value to be computed from the other parameters.
inline constexpr const char* automatic_word = "auto";

[[nodiscard]] inline bool is_automatic(const Value& value) {
  return value == Value(automatic_word);
}

[[nodiscard]] inline std::string to_text(const Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  return integer != nullptr ? std::to_string(*integer) : std::get<std::string>(value);
}

}  // namespace weft::arch
