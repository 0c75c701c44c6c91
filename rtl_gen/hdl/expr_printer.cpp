// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/expr_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "rtl_gen/hdl/iteration.h"
#include "rtl_gen/hdl/module.h"
#include "rtl_gen/hdl/printer.h"

namespace weft::rtl::hdl {
namespace {

constexpr int deepest_break = 7;  ///< within a part select
constexpr int break_behind_assignment = 6;

/// Binding strength of the printed form; names, literals, selects, concatenations and calls bind
/// tightest.
enum Strength {
  strength_conditional,
  strength_logic_or,
  strength_logic_and,
  strength_or,
  strength_xor,
  strength_and,
  strength_equality,
  strength_relation,
  strength_shift,
  strength_sum,
  strength_product,
  strength_unary,
  strength_primary,
};

struct Operator {
  const char* text;
  Strength strength;
};

Operator operator_of(Op op) {
  switch (op) {
    case Op::negate:
      return {"-", strength_unary};
    case Op::bit_not:
      return {"~", strength_unary};
    case Op::logic_not:
      return {"!", strength_unary};
    case Op::reduce_and:
      return {"&", strength_unary};
    case Op::reduce_or:
      return {"|", strength_unary};
    case Op::reduce_xor:
      return {"^", strength_unary};
    case Op::add:
      return {"+", strength_sum};
    case Op::sub:
      return {"-", strength_sum};
    case Op::mul:
      return {"*", strength_product};
    case Op::div:
      return {"/", strength_product};
    case Op::mod:
      return {"%", strength_product};
    case Op::shift_left:
      return {"<<", strength_shift};
    case Op::shift_right:
      return {">>", strength_shift};
    case Op::arith_shift_right:
      return {">>>", strength_shift};
    case Op::less:
      return {"<", strength_relation};
    case Op::less_equal:
      return {"<=", strength_relation};
    case Op::greater:
      return {">", strength_relation};
    case Op::greater_equal:
      return {">=", strength_relation};
    case Op::equal:
      return {"==", strength_equality};
    case Op::not_equal:
      return {"!=", strength_equality};
    case Op::bit_and:
      return {"&", strength_and};
    case Op::bit_xor:
      return {"^", strength_xor};
    case Op::bit_or:
      return {"|", strength_or};
    case Op::logic_and:
      return {"&&", strength_logic_and};
    case Op::logic_or:
      return {"||", strength_logic_or};
    case Op::conditional:
      return {"?", strength_conditional};
    default:
      return {"", strength_primary};
  }
}

/// Digits of a literal's bit pattern of `width` bits.
std::string digits(std::uint64_t pattern, std::int64_t width, Base base) {
  if (width < 64) pattern &= (std::uint64_t{1} << width) - 1;
  switch (base) {
    case Base::bin:
      return fmt::format("{:0{}b}", pattern, std::max<std::int64_t>(1, width));
    case Base::hex:
      return fmt::format("{:0{}x}", pattern, (std::min<std::int64_t>(width, 64) + 3) / 4);
    case Base::dec:
      break;
  }
  return fmt::format("{}", pattern);
}

/// A literal whose width is a number.
std::string numbered_literal(const Node& node, std::int64_t width) {
  const char* const sign = node.type.is_signed ? "s" : "";
  Base base = node.base;
  if (width == 1) base = Base::bin;
  // Decimal digits show no bit pattern: negative values of unsigned and the lowest of signed need
  // one.
  if (base == Base::dec && node.value < 0) {
    const bool lowest = width < 64 && node.value == -(std::int64_t{1} << (width - 1));
    if (node.type.is_signed && !lowest) return fmt::format("-{}'sd{}", width, -node.value);
    base = Base::hex;
  }
  // Leading zeros up to the width help in binary and hex, but not at widths of words.
  if (width > 64 && node.value >= 0) {
    base = base == Base::bin ? Base::hex : base;
  }
  return fmt::format("{}'{}{}{}", width, sign, static_cast<char>(base),
                     digits(static_cast<std::uint64_t>(node.value), width, base));
}

/// A literal whose width is a parameter: its significant bits, and a replication above them.
std::string parametric_literal(const Node& node) {
  const Expr& width = *node.type.width;
  const bool negative = node.value < 0;
  const char* const fill = negative ? "1'b1" : "1'b0";
  std::string text;
  if (node.value == 0 || node.value == -1) {
    text = fmt::format("{{{}{{{}}}}}", compact(width), fill);
  } else {
    const auto pattern = static_cast<std::uint64_t>(node.value);
    const int used = negative ? 65 - std::countl_one(pattern) : 64 - std::countl_zero(pattern);
    Node low = node;
    low.type.is_signed = false;
    if (negative) low.base = Base::bin;
    const Expr fill_width = width - used;
    text = fmt::format("{{{{({}){{{}}}}}, {}}}", compact(fill_width), fill,
                       numbered_literal(low, used));
  }
  return node.type.is_signed ? fmt::format("$signed({})", text) : text;
}

std::string literal(const Node& node) {
  if (node.spelling == Spelling::one_bit) return "1'b1";
  if (node.spelling == Spelling::decimal) return fmt::format("{}", node.value);
  const Node& width = node.type.width->node();
  return width.op == Op::integer ? numbered_literal(node, width.value) : parametric_literal(node);
}

bool is_one(const Expr& expr) { return expr.node().op == Op::integer && expr.node().value == 1; }

class ExprPrinter {
 public:
  explicit ExprPrinter(bool is_compact) : compact_(is_compact) {}

  std::string print(const Expr& expr, int depth) const {
    const Node& node = expr.node();
    switch (node.op) {
      case Op::integer:
        return fmt::format("{}", node.value);
      case Op::literal:
        return literal(node);
      case Op::ref:
        return node.object->name;
      case Op::select:
        return fmt::format("{}[{}]", print(node.args[0], depth), compact(node.args[1]));
      case Op::range:
        return fmt::format("{}[{}:{}]", print(node.args[0], depth), compact(node.args[1]),
                           compact(node.args[2]));
      case Op::part:
        if (is_one(node.args[2])) {  // a part of one bit reads better as that bit
          return fmt::format("{}[{}]", print(node.args[0], depth), compact(node.args[1]));
        }
        return fmt::format("{}[{} +:{}{}]", print(node.args[0], depth), compact(node.args[1]),
                           space(deepest_break), compact(node.args[2]));
      case Op::concat:
        return fmt::format("{{{}}}", list(node.args, depth + 1));
      case Op::replicate:
        return replicate(node, depth);
      case Op::to_signed:
        return fmt::format("$signed({})", print(node.args[0], depth + 1));
      case Op::to_unsigned:
        return fmt::format("$unsigned({})", print(node.args[0], depth + 1));
      case Op::clog2:
        return fmt::format("$clog2({})", print(node.args[0], depth + 1));
      case Op::call:
        return fmt::format("{}({})", node.function->name, list(node.args, depth + 1));
      case Op::iteration:
        return iteration(expr);
      case Op::conditional:
        return conditional(node, depth);
      default:
        return node.args.size() == 1 ? unary(node, depth) : binary(node, depth);
    }
  }

 private:
  [[nodiscard]] char space(int depth) const { return compact_ ? ' ' : break_at(depth); }

  std::string list(const std::vector<Expr>& args, int depth) const {
    std::string text;
    for (const Expr& arg : args) {
      if (!text.empty()) text.append(1, ',').append(1, space(depth));
      text += print(arg, depth);
    }
    return text;
  }

  /// `arg` in parentheses if it is wanted so.
  std::string operand(const Expr& arg, bool parenthesised, int depth) const {
    return parenthesised ? fmt::format("({})", print(arg, depth + 1)) : print(arg, depth);
  }

  /// Strength of the printed form, which for a negative number is that of its minus sign.
  static Strength strength(const Expr& expr) {
    const Node& node = expr.node();
    const bool minus = node.value < 0 && print_begins_with_minus(node);
    return minus ? strength_unary : operator_of(node.op).strength;
  }

  static bool print_begins_with_minus(const Node& node) {
    return node.op == Op::integer || (node.op == Op::literal && literal(node).front() == '-');
  }

  std::string replicate(const Node& node, int depth) const {
    const bool plain = strength(node.args[0]) == strength_primary;
    const std::string count = compact(node.args[0]);
    return fmt::format("{{{}{{{}}}}}", plain ? count : fmt::format("({})", count),
                       print(node.args[1], depth + 1));
  }

  static std::string iteration(const Expr& expr) {
    std::string text;
    std::size_t next = 0;
    for (const Scope* scope : iteration_path(expr)) {
      text += scope->block_name();
      if (scope->guard().genvar != nullptr) {
        text += fmt::format("[{}]", compact(expr.node().args[next++]));
      }
      text += '.';
    }
    return text + expr.node().object->name;
  }

  std::string unary(const Node& node, int depth) const {
    // Also `~(&x)`: `~&` would be one operator.
    return fmt::format("{}{}", operator_of(node.op).text,
                       operand(node.args[0], strength(node.args[0]) != strength_primary, depth));
  }

  std::string conditional(const Node& node, int depth) const {
    const auto is_conditional = [](const Expr& x) { return x.node().op == Op::conditional; };
    const std::string condition = operand(node.args[0], !reads_as_one(node.args[0]), depth);
    const std::string yes = operand(node.args[1], is_conditional(node.args[1]), depth + 1);
    // A conditional in the last place reads as a chain: `a ? x : b ? y : z`.
    const std::string no =
        is_conditional(node.args[2]) ? print(node.args[2], depth) : print(node.args[2], depth + 1);
    return fmt::format("{} ?{}{} :{}{}", condition, space(depth), yes, space(depth), no);
  }

  std::string binary(const Node& node, int depth) const {
    const Operator self = operator_of(node.op);
    const std::string left = operand(node.args[0], needs_parentheses(node, 0), depth + 1);
    const std::string right = operand(node.args[1], needs_parentheses(node, 1), depth + 1);
    const bool tight =
        compact_ && (self.strength == strength_sum || self.strength == strength_product);
    if (tight) return fmt::format("{}{}{}", left, self.text, right);
    return fmt::format("{} {}{}{}", left, self.text, space(depth), right);
  }

  /// Names and the like, `~b` and `!b`; but `a & &b` and `a - -b` are legal and misread.
  static bool reads_as_one(const Expr& arg) {
    const Op op = arg.node().op;
    return strength(arg) == strength_primary || op == Op::bit_not || op == Op::logic_not;
  }

  static bool needs_parentheses(const Node& node, std::size_t side) {
    const Expr& arg = node.args[side];
    const Strength self = operator_of(node.op).strength;
    const Strength inner = strength(arg);
    if (inner >= strength_unary) return !reads_as_one(arg);
    if (inner < self) return true;
    const bool same = arg.node().op == node.op;
    if (inner == self) {
      const bool associative =
          same && (self == strength_and || self == strength_xor || self == strength_or ||
                   self == strength_logic_and || self == strength_logic_or);
      const bool chain = self == strength_sum || self == strength_product || associative;
      return side == 0 ? !chain : !associative;
    }
    return is_doubtful(self, inner);
  }

  /// Precedences that readers do not carry in their heads: everything but arithmetic in a
  /// comparison or under logic, products in sums, and comparisons under logic.
  static bool is_doubtful(Strength outer, Strength inner) {
    const bool inner_arithmetic = inner == strength_sum || inner == strength_product;
    switch (outer) {
      case strength_sum:
        return false;
      case strength_relation:
      case strength_equality:
        return !inner_arithmetic;
      case strength_logic_and:
      case strength_logic_or:
        return inner != strength_equality && inner != strength_relation;
      default:
        return true;
    }
  }

  bool compact_;
};

bool is_break(char c) { return c >= 1 && c <= deepest_break + 1; }

}  // namespace

char break_at(int depth) { return static_cast<char>(1 + std::min(depth, deepest_break)); }

BreakableText assigned(const char* assignment_operator, const Expr& value) {
  return fmt::format(" {}{}{}", assignment_operator, break_at(break_behind_assignment),
                     breakable(value));
}

BreakableText breakable(const Expr& expr, int depth) {
  return ExprPrinter(false).print(expr, depth);
}

std::string compact(const Expr& expr) { return ExprPrinter(true).print(expr, 0); }

std::string flat(const BreakableText& text) {
  std::string result = text;
  std::ranges::replace_if(result, is_break, ' ');
  return result;
}

std::vector<std::string> broken(const BreakableText& text, std::size_t first, std::size_t rest,
                                std::size_t width) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  std::size_t column = first;
  while (column + text.size() - begin > width) {
    std::size_t best = std::string::npos;
    for (std::size_t i = begin; i < text.size(); ++i) {
      if (!is_break(text[i])) continue;
      const bool fits = column + i - begin <= width;
      if (!fits && best != std::string::npos) break;
      if (best == std::string::npos || text[i] <= text[best]) best = i;
      if (!fits) break;
    }
    if (best == std::string::npos) break;
    lines.push_back(std::string(lines.empty() ? 0 : rest, ' ') +
                    flat(text.substr(begin, best - begin)));
    begin = best + 1;
    column = rest;
  }
  lines.push_back(std::string(lines.empty() ? 0 : rest, ' ') + flat(text.substr(begin)));
  return lines;
}

std::string to_verilog(const Expr& expr) { return flat(breakable(expr)); }

}  // namespace weft::rtl::hdl
