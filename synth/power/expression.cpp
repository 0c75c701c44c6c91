// SPDX-License-Identifier: Apache-2.0
#include "synth/power/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace weft::synth {
namespace {

/// Recursive descent, one function a level of precedence; each appends its steps.
class Parser {
 public:
  Parser(std::string_view text, const Expression::Names& names) : text_(text), names_(names) {}

  std::optional<std::vector<Expression::Step>> parse() {
    if (!either() || next() != '\0') return std::nullopt;
    return std::move(steps_);
  }

 private:
  using Op = Expression::Op;

  /// The next character that means something.
  char next() {
    while (pos_ < text_.size() &&
           (std::isspace(static_cast<unsigned char>(text_[pos_])) != 0 || text_[pos_] == '\\'))
      ++pos_;
    return pos_ < text_.size() ? text_[pos_] : '\0';
  }

  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '[' || c == ']' ||
           c == '.';
  }

  bool either() {
    if (!both()) return false;
    while (next() == '+' || next() == '|') {
      ++pos_;
      if (!both()) return false;
      steps_.push_back({Op::either});
    }
    return true;
  }

  bool both() {
    if (!differ()) return false;
    for (;;) {
      const char c = next();
      if (c == '*' || c == '&')
        ++pos_;
      else if (!is_name(c) && c != '(' && c != '!')
        return true;
      if (!differ()) return false;
      steps_.push_back({Op::both});
    }
  }

  bool differ() {
    if (!factor()) return false;
    while (next() == '^') {
      ++pos_;
      if (!factor()) return false;
      steps_.push_back({Op::differ});
    }
    return true;
  }

  bool factor() {
    if (next() == '!') {
      ++pos_;
      if (!factor()) return false;
      steps_.push_back({Op::invert});
      return true;
    }
    if (next() == '(') {
      ++pos_;
      if (!either() || next() != ')') return false;
      ++pos_;
    } else if (!name()) {
      return false;
    }
    while (next() == '\'') {
      ++pos_;
      steps_.push_back({Op::invert});
    }
    return true;
  }

  bool name() {
    next();
    const auto begin = pos_;
    while (pos_ < text_.size() && is_name(text_[pos_])) ++pos_;
    const auto word = text_.substr(begin, pos_ - begin);
    if (word.empty()) return false;
    if (const auto variable = names_(word)) {
      steps_.push_back({Op::variable, *variable});
    } else if (word == "0" || word == "1") {
      steps_.push_back({word == "1" ? Op::one : Op::zero});
    } else {
      return false;
    }
    return true;
  }

  std::string_view text_;
  const Expression::Names& names_;
  std::size_t pos_ = 0;
  std::vector<Expression::Step> steps_;
};

}  // namespace

std::optional<Expression> Expression::parse(std::string_view text, const Names& names) {
  auto steps = Parser(text, names).parse();
  if (!steps) return std::nullopt;
  return Expression(std::move(*steps));
}

Expression::Expression(std::vector<Step> steps) : steps_(std::move(steps)) {
  for (const Step& step : steps_)
    if (step.op == Op::variable) support_.push_back(step.variable);
  std::sort(support_.begin(), support_.end());
  support_.erase(std::unique(support_.begin(), support_.end()), support_.end());
}

Expression Expression::substitute(int variable, const Expression& by) const {
  std::vector<Step> steps;
  for (const Step& step : steps_) {
    if (step.op == Op::variable && step.variable == variable)
      steps.insert(steps.end(), by.steps_.begin(), by.steps_.end());
    else
      steps.push_back(step);
  }
  return Expression(std::move(steps));
}

Expression Expression::inverted() const {
  std::vector<Step> steps = steps_;
  steps.push_back({Op::invert});
  return Expression(std::move(steps));
}

Expression Expression::of(int variable) {
  return Expression(std::vector<Step>{{Op::variable, variable}});
}

bool Expression::depends_on(int variable) const {
  return std::ranges::binary_search(support_, variable);
}

std::uint64_t Expression::evaluate(std::span<const std::uint64_t> values) const {
  std::vector<std::uint64_t> stack;
  const auto pop = [&] {
    const std::uint64_t top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Step& step : steps_) {
    switch (step.op) {
      case Op::zero:
        stack.push_back(0);
        break;
      case Op::one:
        stack.push_back(~std::uint64_t{0});
        break;
      case Op::variable:
        stack.push_back(values[static_cast<std::size_t>(step.variable)]);
        break;
      case Op::invert:
        stack.back() = ~stack.back();
        break;
      case Op::both: {
        const std::uint64_t b = pop();
        stack.back() &= b;
        break;
      }
      case Op::either: {
        const std::uint64_t b = pop();
        stack.back() |= b;
        break;
      }
      case Op::differ: {
        const std::uint64_t b = pop();
        stack.back() ^= b;
        break;
      }
    }
  }
  return stack.back();
}

template <typename Counts>
double Expression::sum(std::span<const double> probability, int skip, Counts&& counts) const {
  const int last = support_.empty() ? 0 : support_.back() + 1;
  std::vector<std::uint64_t> values(static_cast<std::size_t>(std::max(last, skip + 1)));
  double total = 0;
  for (std::uint64_t row = 0; row < std::uint64_t{1} << support_.size(); ++row) {
    double weight = 1;
    for (std::size_t i = 0; i < support_.size(); ++i) {
      const bool set = (row >> i & 1U) != 0;
      const auto variable = static_cast<std::size_t>(support_[i]);
      values[variable] = set ? ~std::uint64_t{0} : 0;
      if (support_[i] == skip) {
        if (set) weight = 0;  // one of its two values stands for both
        continue;
      }
      weight *= set ? probability[variable] : 1 - probability[variable];
    }
    if (weight > 0 && counts(values)) total += weight;
  }
  return total;
}

double Expression::probability(std::span<const double> probability) const {
  return sum(probability, -1, [&](const auto& values) { return evaluate(values) != 0; });
}

double Expression::sensitivity(int variable, std::span<const double> probability) const {
  if (!depends_on(variable)) return 0;
  return sum(probability, variable, [&](auto& values) {
    const std::uint64_t low = evaluate(values);
    values[static_cast<std::size_t>(variable)] = ~std::uint64_t{0};
    const std::uint64_t high = evaluate(values);
    return low != high;
  });
}

}  // namespace weft::synth
