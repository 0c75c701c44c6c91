// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::synth {

/// A Boolean function as Liberty writes it: `!` and `'` invert, `^`, `*` `&` or a space, `+` `|`,
/// in this order of precedence; 0 and 1. Variables are numbered by the caller.
class Expression {
 public:
  enum class Op : std::uint8_t { zero, one, variable, invert, both, either, differ };
  /// A step of a stack machine: pushes a constant or a variable, or replaces the top one or two
  /// values by what the operator gives.
  struct Step {
    Op op = Op::zero;
    int variable = 0;
    bool operator==(const Step&) const = default;
  };

  /// The number of the variable with a name, or nothing if there is none.
  using Names = std::function<std::optional<int>(std::string_view)>;
  /// Reads a function; nothing if it is not one, or has a name that `names` does not know.
  static std::optional<Expression> parse(std::string_view text, const Names& names);

  /// The function with another one in place of a variable.
  [[nodiscard]] Expression substitute(int variable, const Expression& by) const;
  /// Its inverse.
  [[nodiscard]] Expression inverted() const;
  /// The function that is a variable.
  static Expression of(int variable);

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  /// The variables that occur, in ascending order.
  [[nodiscard]] const std::vector<int>& support() const { return support_; }
  [[nodiscard]] bool depends_on(int variable) const;

  /// The value when variable v is bit i of `values[v]`, for all bits i at once.
  [[nodiscard]] std::uint64_t evaluate(std::span<const std::uint64_t> values) const;

  /// The probability of 1 when variable v is 1 with `probability[v]`, independently of the others.
  [[nodiscard]] double probability(std::span<const double> probability) const;
  /// The probability that the value changes when `variable` does (the Boolean difference).
  [[nodiscard]] double sensitivity(int variable, std::span<const double> probability) const;

 private:
  explicit Expression(std::vector<Step> steps);

  /// Sums the probabilities of the assignments of the support without `skip` for which `counts`.
  template <typename Counts>
  double sum(std::span<const double> probability, int skip, Counts&& counts) const;

  std::vector<Step> steps_;
  std::vector<int> support_;
};

}  // namespace weft::synth
