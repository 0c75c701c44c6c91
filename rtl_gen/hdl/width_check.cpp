// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/width_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/iteration.h"
#include "rtl_gen/hdl/printer.h"

namespace weft::rtl::hdl {
namespace {

constexpr std::int64_t integer_width = 32;

void must_be_equal(std::int64_t left, std::int64_t right, const Expr& in) {
  if (left == right) return;
  throw HdlError(fmt::format("operands of {} and {} bits in {}", left, right, to_verilog(in)));
}

/// Verilator calls a comparison with the end of the range a mistake: it says nothing.
void must_not_be_constant(const Expr& expr, std::int64_t width, Env& env) {
  const Node& node = expr.node();
  const bool unsigned_bits = node.args[0].type().is_bits() && !node.args[0].type().is_signed;
  if (!unsigned_bits || width > 62) return;
  const std::int64_t max = (std::int64_t{1} << width) - 1;
  const auto left = env.value(node.args[0]);
  const auto right = env.value(node.args[1]);
  if (left.has_value() == right.has_value()) return;
  // x OP constant; `constant OP x` has its ends exchanged.
  const bool low_end = right ? *right == 0 : *left == max;
  const bool high_end = right ? *right == max : *left == 0;
  const bool never_varies = ((node.op == Op::less || node.op == Op::greater_equal) && low_end) ||
                            ((node.op == Op::less_equal || node.op == Op::greater) && high_end);
  if (never_varies) throw HdlError("always has the same result: " + to_verilog(expr));
}

void must_be_one_bit(const Expr& x, Env& env) {
  const std::int64_t width = checked_width(x, env);
  if (width != 1) throw HdlError(fmt::format("a condition of {} bits: {}", width, to_verilog(x)));
}

/// Checks an index into `size` things, of which `count` are taken.
void check_index(const Expr& index, std::int64_t size, std::int64_t count, const Expr& in,
                 Env& env) {
  const std::int64_t width = checked_width(index, env);
  if (index.type().is_bits() && width != index_width(size)) {
    throw HdlError(fmt::format("an index of {} bits where {} are needed in {}", width,
                               index_width(size), to_verilog(in)));
  }
  const auto value = env.value(index);
  if (value && (*value < 0 || *value + count > size)) {
    throw HdlError(fmt::format("index {} (of {}) is outside 0..{} in {}", *value, count, size - 1,
                               to_verilog(in)));
  }
}

void check_literal(const Expr& literal, std::int64_t width) {
  const std::int64_t value = literal.node().value;
  if (width > 63) return;
  const std::int64_t half = std::int64_t{1} << (width - 1);
  const bool below = value < -half;
  const bool above = literal.type().is_signed ? value >= half : value >> width > 0;
  if (below || above) {
    throw HdlError(fmt::format("{} does not fit {} {} bits", value, width,
                               literal.type().is_signed ? "signed" : "unsigned"));
  }
}

/// Checks that the other iteration exists.
void check_iteration(const Expr& expr, Env& env) {
  Env inner = env;
  std::size_t next = 0;
  for (const Scope* scope : iteration_path(expr)) {
    const Guard& guard = scope->guard();
    if (guard.genvar == nullptr) {
      if (!inner.exists(guard)) {
        throw HdlError("its generate branch does not exist: " + to_verilog(expr));
      }
      continue;
    }
    const std::int64_t index = env.require(expr.node().args[next++]);
    const std::int64_t begin = inner.require(*guard.begin);
    const std::int64_t end = inner.require(*guard.end);
    if (index < begin || index >= end) {
      throw HdlError(fmt::format("iteration {} is outside {}..{} in {}", index, begin, end - 1,
                                 to_verilog(expr)));
    }
    inner.bind(*guard.genvar, index);
  }
}

std::int64_t vector_width(const Expr& x, Env& env) {
  return x.type().is_integer() ? integer_width : env.width(x);
}

std::int64_t select_width(const Expr& expr, Env& env) {
  const Node& node = expr.node();
  const Expr& base = node.args[0];
  if (node.op == Op::select && base.type().is_array()) {
    // A reference to a whole array has nothing to check; a row of a 2-dimensional one has an index.
    if (base.node().op == Op::select) select_width(base, env);
    if (base.node().op == Op::iteration) check_iteration(base, env);
    check_index(node.args[1], env.require(base.type().dims.front()), 1, expr, env);
    return env.width(expr);
  }
  const std::int64_t size = checked_width(base, env);
  if (node.op == Op::select) {
    check_index(node.args[1], size, 1, expr, env);
    return 1;
  }
  if (node.op == Op::range) {
    const std::int64_t hi = env.require(node.args[1]);
    const std::int64_t lo = env.require(node.args[2]);
    if (lo < 0 || hi < lo || hi >= size) {
      throw HdlError(fmt::format("bits [{}:{}] of {} bits in {}", hi, lo, size, to_verilog(expr)));
    }
    const auto value = node.whole ? env.value(base) : std::nullopt;
    if (value && (*value < 0 || *value >> (hi + 1) != 0)) {
      throw HdlError(
          fmt::format("{} does not fit {} unsigned bits in {}", *value, hi + 1, to_verilog(expr)));
    }
    return hi - lo + 1;
  }
  const std::int64_t width = env.require(node.args[2]);
  if (width < 1) throw HdlError(fmt::format("a part of {} bits: {}", width, to_verilog(expr)));
  check_index(node.args[1], size, width, expr, env);
  return width;
}

/// A replication of zero is legal beside other parts of a concatenation.
std::int64_t replicate_width(const Expr& expr, Env& env, bool may_be_empty) {
  const std::int64_t count = env.require(expr.node().args[0]);
  if (count < 0 || (count == 0 && !may_be_empty)) {
    throw HdlError(fmt::format("{} replications in {}", count, to_verilog(expr)));
  }
  return count * checked_width(expr.node().args[1], env);
}

std::int64_t concat_width(const Expr& expr, Env& env) {
  std::int64_t total = 0;
  for (const Expr& part : expr.node().args) {
    total += part.node().op == Op::replicate ? replicate_width(part, env, true)
                                             : checked_width(part, env);
  }
  if (total == 0) throw HdlError("a concatenation of no bits: " + to_verilog(expr));
  return total;
}

std::int64_t conditional_width(const Expr& expr, Env& env) {
  const auto& args = expr.node().args;
  must_be_one_bit(args[0], env);
  if (const auto condition = env.value(args[0]))
    return checked_width(args[*condition != 0 ? 1 : 2], env);
  const std::int64_t left = checked_width(args[1], env);
  must_be_equal(left, checked_width(args[2], env), expr);
  return left;
}

std::int64_t call_width(const Expr& expr, Env& env) {
  const Node& node = expr.node();
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    const Expr input = ref(node.function->inputs[i]);
    const std::int64_t width = checked_width(node.args[i], env);
    const std::int64_t wanted = vector_width(input, env);
    if (width != wanted) {
      throw HdlError(fmt::format("argument {} has {} bits, function {} takes {}",
                                 to_verilog(node.args[i]), width, node.function->name, wanted));
    }
  }
  return vector_width(expr, env);
}

}  // namespace

std::int64_t index_width(std::int64_t size) {
  const auto bits = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(size - 1)));
  return std::max<std::int64_t>(1, bits);
}

std::int64_t checked_width(const Expr& expr, Env& env) {
  const Node& node = expr.node();
  if (node.type.is_array()) throw HdlError("an array where a value is needed: " + to_verilog(expr));
  switch (node.op) {
    case Op::integer:
      return integer_width;
    case Op::literal: {
      const std::int64_t width = env.width(expr);
      check_literal(expr, width);
      return width;
    }
    case Op::ref:
      return vector_width(expr, env);
    case Op::select:
    case Op::range:
    case Op::part:
      return select_width(expr, env);
    case Op::concat:
      return concat_width(expr, env);
    case Op::replicate:
      return replicate_width(expr, env, false);
    case Op::conditional:
      return conditional_width(expr, env);
    case Op::call:
      return call_width(expr, env);
    case Op::iteration:
      check_iteration(expr, env);
      return env.width(expr);
    case Op::logic_not:
    case Op::logic_and:
    case Op::logic_or:
      for (const Expr& arg : node.args) must_be_one_bit(arg, env);
      return 1;
    case Op::reduce_and:
    case Op::reduce_or:
    case Op::reduce_xor:
      checked_width(node.args[0], env);
      return 1;
    case Op::shift_left:
    case Op::shift_right:
    case Op::arith_shift_right:
      checked_width(node.args[1], env);
      return checked_width(node.args[0], env);
    default:
      break;
  }
  const std::int64_t width = checked_width(node.args[0], env);
  if (node.args.size() == 2) must_be_equal(width, checked_width(node.args[1], env), expr);
  const bool compares = node.op >= Op::less && node.op <= Op::not_equal;
  if (compares) must_not_be_constant(expr, width, env);
  return compares ? 1 : width;
}

void check_assignment(const Expr& target, const Expr& value, Env& env) {
  if (target.type().is_array() || value.type().domain != target.type().domain) {
    throw HdlError(fmt::format("{} cannot be assigned to {}: one is bits, the other is not",
                               to_verilog(value), to_verilog(target)));
  }
  const std::int64_t left = checked_width(target, env);
  const std::int64_t right = checked_width(value, env);
  if (left != right) {
    throw HdlError(fmt::format("{} has {} bits, the value assigned to it {}: {}",
                               to_verilog(target), left, right, to_verilog(value)));
  }
}

}  // namespace weft::rtl::hdl
