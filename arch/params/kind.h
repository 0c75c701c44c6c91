// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/params/domain.h"
#include "arch/params/value.h"

namespace weft::arch {

/// The declaration of one parameter: everything that any reader, page, schema or sweep says about
/// it.
struct Parameter {
  std::string name;
  Domain domain;
  std::string unit;  ///< what one of it is ("bits", "PEs"); empty for words
  std::string doc;   ///< one line
  /// The value of a file that does not give it; nothing: every file must give it.
  std::optional<Value> default_value = std::nullopt;
  /// How `auto` is resolved, for people; empty: `auto` is not legal here.
  std::string automatic = {};

  /// Whether a file may give this value.
  [[nodiscard]] bool accepts(const Value& value) const {
    return contains(domain, value) || (!automatic.empty() && is_automatic(value));
  }
};

/// "This parameter lies in this domain."
struct Condition {
  std::string parameter;
  Domain domain;
};

/// When all of `when` hold, `then` must hold; `auto` satisfies `then`.
struct Clause {
  std::vector<Condition> when;
  Condition then;
  std::string message;  ///< what is wrong and what would be right, in one line
};

/// Something that several parameters must satisfy together.
struct Rule {
  std::string doc;  ///< one sentence
  std::vector<Clause> clauses;
};

/// A kind of design: its parameters, in the order of the canonical form, and the rules between
/// them. The first parameter is `kind` itself.
struct Kind {
  std::string name;
  std::string doc;  ///< one sentence
  std::vector<Parameter> parameters;
  std::vector<Rule> rules;

  /// Nothing if there is no parameter of that name.
  [[nodiscard]] const Parameter* find(std::string_view parameter) const;
  [[nodiscard]] std::vector<std::string> parameter_names() const;
  /// Clauses that the values break. Clauses about parameters that `values` lacks are passed over.
  [[nodiscard]] std::vector<const Clause*> broken_clauses(const Values& values) const;
};

}  // namespace weft::arch
