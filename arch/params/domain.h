// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "arch/params/value.h"

namespace weft::arch {

/// The integers from `min` to `max`.
struct IntRange {
  std::int64_t min;
  std::int64_t max;
};

/// A few integers.
struct IntSet {
  std::vector<std::int64_t> values;
};

/// One of several words. `summary` says them in short where the list is long (int2..int16). Words
/// that are spelt like integers may be given as integers too.
struct Choice {
  std::vector<std::string> names;
  std::string summary;
};

/// A name that Verilog and SystemVerilog accept as an identifier (see verilog_names.h).
struct Identifier {};

/// true or false, or only one of them.
struct Boolean {
  std::vector<bool> values = {true, false};
};

/// A list of integers from `min` to `max`; how many they are is for a Check to say.
struct IntList {
  std::uint64_t min;
  std::uint64_t max;
};

/// The legal values of a parameter.
using Domain = std::variant<IntRange, IntSet, Choice, Identifier, Boolean, IntList>;

[[nodiscard]] bool contains(const Domain& domain, const Value& value);

/// Whether the values are integers.
[[nodiscard]] bool is_integral(const Domain& domain);

/// What kind of value it is: "integer", "one of", "identifier", "boolean", "list of integers".
[[nodiscard]] std::string type_text(const Domain& domain);

/// The legal values for people: "1..256", "1 | 2 | 4", "wrap | saturate".
[[nodiscard]] std::string legal_text(const Domain& domain);

/// Why a value of the right type is not in the domain: "is outside 1..256". `found` is the value as
/// the user wrote it. Only for values that are not contained.
[[nodiscard]] std::string objection(const Domain& domain, const std::string& found);

/// Draws a value: uniformly, but in wide ranges with more small ones; not for lists, whose elements
/// depend on other parameters.
[[nodiscard]] Value draw(const Domain& domain, std::mt19937_64& random);

}  // namespace weft::arch
