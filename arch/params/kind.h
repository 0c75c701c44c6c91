// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <random>
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
  /// Draws a legal list, given the values of the other parameters; only for lists.
  std::function<Value(const Values&, std::mt19937_64&)> draw_list = {};

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

/// Something that parameters must satisfy together and that clauses over finite domains cannot say.
/// It is evaluated on the whole design.
struct Check {
  std::string doc;                      ///< one sentence
  std::vector<std::string> parameters;  ///< that it is about; the one to change comes first
};

struct FailedCheck {
  const Check* check;
  std::string objection;  ///< what was found and what is legal, in one line
};

/// A kind of design: its parameters, in the order of the canonical form, and the rules between
/// them. The first parameter is `kind` itself.
struct Kind {
  std::string name;
  std::string doc;  ///< one sentence
  std::vector<Parameter> parameters;
  std::vector<Rule> rules = {};
  std::vector<Check> checks = {};
  /// The objection of each check to the design that has these values and, where they lack one, the
  /// default; empty: none. Unset if there are no checks.
  std::function<std::vector<std::string>(const Values&)> evaluate_checks = {};

  /// Nothing if there is no parameter of that name.
  [[nodiscard]] const Parameter* find(std::string_view parameter) const;
  [[nodiscard]] std::vector<std::string> parameter_names() const;
  /// Clauses that the values break. Clauses about parameters that `values` lacks are passed over.
  [[nodiscard]] std::vector<const Clause*> broken_clauses(const Values& values) const;
  /// Checks that the values fail. Checks about parameters that `values` lacks are passed over.
  [[nodiscard]] std::vector<FailedCheck> failed_checks(const Values& values) const;
};

}  // namespace weft::arch
