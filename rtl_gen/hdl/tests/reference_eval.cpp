// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/tests/reference_eval.h"

#include <bit>
#include <stdexcept>
#include <vector>

namespace weft::rtl::hdl::test {
namespace {

int width_of_type(const Expr& expr, Env& env) {
  return expr.type().is_integer() ? 32 : static_cast<int>(env.width(expr));
}

std::uint64_t masked(std::uint64_t value, int width) {
  return value & ((std::uint64_t{1} << width) - 1);
}

/// The number that the pattern of an operand stands for.
std::int64_t number(std::uint64_t pattern, const Expr& of, Env& env) {
  const int width = width_of_type(of, env);
  const bool negative = of.type().is_signed && (pattern >> (width - 1) & 1) != 0;
  return static_cast<std::int64_t>(pattern) - (negative ? std::int64_t{1} << width : 0);
}

std::uint64_t compare(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_equal:
      return a >= b;
    case Op::equal:
      return a == b;
    default:
      return a != b;
  }
}

std::optional<std::uint64_t> binary(const Expr& expr, std::uint64_t a, std::uint64_t b, Env& env) {
  const Node& node = expr.node();
  const std::int64_t x = number(a, node.args[0], env);
  const std::int64_t y = number(b, node.args[1], env);
  switch (node.op) {
    case Op::add:
      return static_cast<std::uint64_t>(x + y);
    case Op::sub:
      return static_cast<std::uint64_t>(x - y);
    case Op::mul:
      return static_cast<std::uint64_t>(x * y);
    case Op::div:
      return y == 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(x / y));
    case Op::mod:
      return y == 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(x % y));
    case Op::shift_left:
      return b > 31 ? 0 : a << b;
    case Op::shift_right:
      return b > 31 ? 0 : a >> b;
    case Op::arith_shift_right:
      return static_cast<std::uint64_t>(x >> std::min<std::uint64_t>(b, 63));
    case Op::bit_and:
      return a & b;
    case Op::bit_xor:
      return a ^ b;
    case Op::bit_or:
      return a | b;
    case Op::logic_and:
      return a != 0 && b != 0;
    case Op::logic_or:
      return a != 0 || b != 0;
    default:
      return compare(node.op, x, y);
  }
}

std::uint64_t unary(const Expr& expr, std::uint64_t a, Env& env) {
  const Node& node = expr.node();
  const int width = width_of_type(node.args[0], env);
  switch (node.op) {
    case Op::negate:
      return ~a + 1;
    case Op::bit_not:
      return ~a;
    case Op::logic_not:
      return a == 0;
    case Op::reduce_and:
      return a == masked(~std::uint64_t{0}, width);
    case Op::reduce_or:
      return a != 0;
    case Op::reduce_xor:
      return static_cast<std::uint64_t>(std::popcount(a) % 2);
    case Op::to_signed:
    case Op::to_unsigned:
      return a;
    case Op::clog2:
      return a <= 1 ? 0 : static_cast<std::uint64_t>(std::bit_width(a - 1));
    default:
      throw std::logic_error("no reference for this operator");
  }
}

}  // namespace

std::optional<std::uint64_t> reference_value(const Expr& expr, const Values& values, Env& env) {
  const Node& node = expr.node();
  const int width = width_of_type(expr, env);
  if (node.op == Op::integer || node.op == Op::literal) {
    return masked(static_cast<std::uint64_t>(node.value), width);
  }
  if (node.op == Op::ref && expr.type().is_integer()) {
    return masked(static_cast<std::uint64_t>(env.require(expr)), width);
  }
  if (node.op == Op::ref) return masked(values.at(node.object), width);
  std::vector<std::uint64_t> args;
  for (const Expr& arg : node.args) {
    const auto value = reference_value(arg, values, env);
    if (!value) return std::nullopt;
    args.push_back(*value);
  }
  switch (node.op) {
    case Op::conditional:
      return args[args[0] != 0 ? 1 : 2];
    case Op::concat: {
      std::uint64_t all = 0;
      for (std::size_t i = 0; i < args.size(); ++i)
        all = all << width_of_type(node.args[i], env) | args[i];
      return all;
    }
    case Op::replicate: {
      std::uint64_t all = 0;
      for (std::uint64_t i = 0; i < args[0]; ++i)
        all = all << width_of_type(node.args[1], env) | args[1];
      return all;
    }
    case Op::select:
      return args[0] >> args[1] & 1;
    case Op::range:
      return masked(args[0] >> args[2], width);
    case Op::part:
      return masked(args[0] >> args[1], width);
    default:
      break;
  }
  if (args.size() == 1) return masked(unary(expr, args[0], env), width);
  const auto result = binary(expr, args[0], args[1], env);
  return result ? std::optional(masked(*result, width)) : std::nullopt;
}

}  // namespace weft::rtl::hdl::test
