// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arch/network/link.h"
#include "arch/network/switch.h"
#include "arch/params/kind.h"
#include "arch/tensor_array.h"

namespace weft::arch {

/// A design of any kind. A new kind is one more alternative here, with its declaration().
using Design = std::variant<TensorArray, Switch, Link>;

/// A configuration: what one file describes, every value final.
struct Config {
  std::string kind;  ///< the name of the alternative that `design` holds: "tensor_array"
  Design design;

  bool operator==(const Config&) const = default;
};

/// The declared kinds of designs.
[[nodiscard]] const std::vector<const Kind*>& kinds();

/// Reads a configuration file (YAML 1.2 or JSON). Throws UserError that lists all problems of the
/// file, one a line: `file:line:column: parameter: what was found and what is legal`.
[[nodiscard]] Config load_config(const std::filesystem::path& path);

/// The same for text; errors call it `display_name`.
[[nodiscard]] Config parse_config(std::string_view text, const std::string& display_name);

/// The configuration of a design that was built in code.
[[nodiscard]] Config config_of(Design design);

/// The declared kind of that name; null if there is none.
[[nodiscard]] const Kind* find_kind(std::string_view name);

/// What keeps `values` from being a design of the kind, a line each: values that a parameter does
/// not take, rules and checks that are broken. Values that are left out have their defaults. Empty
/// if they are legal.
[[nodiscard]] std::vector<std::string> objections(const Kind& kind, Values values);

/// The configuration that has these values and otherwise defaults. The values must be legal.
[[nodiscard]] Config config_of(const Kind& kind, const Values& values);

/// What is legal but hardly meant, a line each: `parameter: what it is, what it costs`.
[[nodiscard]] std::vector<std::string> warnings(const Config& config);

/// The name of the design, which its top module has.
[[nodiscard]] const std::string& name_of(const Config& config);

/// The values of all parameters by name, `kind` included.
[[nodiscard]] Values values_of(const Config& config);

/// A YAML file that gives every parameter in the order of declaration: equal designs have equal
/// texts, and parse_config gives the same configuration back.
[[nodiscard]] std::string canonical_form(const Config& config);

/// SHA-256 of the canonical form, 64 hexadecimal digits: the key of everything made from it.
[[nodiscard]] std::string digest(const Config& config);

}  // namespace weft::arch
