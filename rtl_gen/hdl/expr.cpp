// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/module.h"
#include "rtl_gen/hdl/object.h"
#include "rtl_gen/hdl/printer.h"

namespace weft::rtl::hdl {
namespace {

using Domain = Type::Domain;

Expr make(Node node) { return Expr(std::make_shared<const Node>(std::move(node))); }

Expr make(Op op, Type type, std::vector<Expr> args) {
  Node node;
  node.op = op;
  node.type = std::move(type);
  node.args = std::move(args);
  return make(std::move(node));
}

Type integer_type(bool constant) { return {Domain::integer, true, constant, std::nullopt, {}}; }

Type bits_type(const Expr& width, bool is_signed, bool constant) {
  return {Domain::bits, is_signed, constant, width, {}};
}

[[noreturn]] void reject(const std::string& problem, const Expr& x) {
  throw HdlError(fmt::format("{}: {}", problem, to_verilog(x)));
}

bool is_number(const Expr& x) { return x.node().op == Op::integer; }

bool is_number(const Expr& x, std::int64_t value) {
  return is_number(x) && x.node().value == value;
}

void must_be_bits(const Expr& x, const char* what) {
  if (!x.type().is_bits()) {
    reject(fmt::format("{} must be bits, not an {}", what,
                       x.type().is_integer() ? "integer (use lit or fit)" : "array"),
           x);
  }
}

void must_be_integer(const Expr& x, const char* what) {
  if (!x.type().is_integer()) reject(fmt::format("{} must be an integer", what), x);
}

void must_be_constant(const Expr& x, const char* what) {
  must_be_integer(x, what);
  if (!x.type().constant) reject(fmt::format("{} must be constant", what), x);
}

/// Result of an integer operator on two numbers, unless it is not a 32-bit number.
std::optional<std::int64_t> fold(Op op, std::int64_t a, std::int64_t b) {
  std::int64_t value = 0;
  switch (op) {
    case Op::add:
      value = a + b;
      break;
    case Op::sub:
      value = a - b;
      break;
    case Op::mul:
      value = a * b;
      break;
    default:
      return std::nullopt;
  }
  using Limits = std::numeric_limits<std::int32_t>;
  if (value < Limits::min() || value > Limits::max()) return std::nullopt;
  return value;
}

Expr number(std::int64_t value) { return {static_cast<int>(value)}; }

/// Derived widths (`WIDTH + 1 - 1`) are simplified, because people read them.
std::optional<Expr> simplify(Op op, const Expr& a, const Expr& b) {
  if (is_number(a) && is_number(b)) {
    const auto value = fold(op, a.node().value, b.node().value);
    return value ? std::optional(number(*value)) : std::nullopt;
  }
  if (op == Op::mul) {
    if (is_number(a, 0) || is_number(b, 0)) return number(0);
    if (is_number(a, 1)) return b;
    if (is_number(b, 1)) return a;
  }
  if (op == Op::add && is_number(a, 0)) return b;
  if ((op != Op::add && op != Op::sub) || !is_number(b)) return std::nullopt;
  if (b.node().value == 0) return a;
  const Op inner = a.node().op;
  if ((inner != Op::add && inner != Op::sub) || !is_number(a.node().args[1])) return std::nullopt;
  // (x +- c) +- d = x + total
  const std::int64_t c = a.node().args[1].node().value;
  const std::int64_t d = b.node().value;
  const auto total = fold(Op::add, inner == Op::add ? c : -c, op == Op::add ? d : -d);
  if (!total) return std::nullopt;
  const Expr& x = a.node().args[0];
  return *total >= 0 ? x + number(*total) : x - number(-*total);
}

bool compares(Op op) { return op >= Op::less && op <= Op::not_equal; }

/// Operators through which Verilog passes the width of the context down to the operand.
bool takes_width_from_context(Op op) {
  switch (op) {
    case Op::negate:
    case Op::bit_not:
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::mod:
    case Op::shift_left:
    case Op::shift_right:
    case Op::arith_shift_right:
    case Op::bit_and:
    case Op::bit_xor:
    case Op::bit_or:
    case Op::conditional:
      return true;
    default:
      return false;
  }
}

/// How a plain number beside `peer` can be written without changing the width in which `peer` is
/// computed.
Spelling spelling_beside(Op op, const Expr& peer, const Expr& value, bool value_on_the_right) {
  const bool increment = (op == Op::add || (op == Op::sub && value_on_the_right)) &&
                         is_number(value, 1) && !peer.type().is_signed;
  if (increment) return Spelling::one_bit;
  if (compares(op) && !takes_width_from_context(peer.node().op)) return Spelling::decimal;
  return Spelling::sized;
}

Expr binary(Op op, const Expr& left, const Expr& right) {
  if (left.type().is_integer() && right.type().is_integer()) {
    const bool constant = left.type().constant && right.type().constant;
    if (auto simple = simplify(op, left, right)) return *simple;
    return make(op, compares(op) ? bits_type(1, false, constant) : integer_type(constant),
                {left, right});
  }
  const Expr a = adapt(left, right.type(), spelling_beside(op, right, left, false));
  const Expr b = adapt(right, left.type(), spelling_beside(op, left, right, true));
  must_be_bits(a, "operand");
  must_be_bits(b, "operand");
  if (a.type().is_signed != b.type().is_signed) {
    reject("signed and unsigned operands are mixed (use to_signed or to_unsigned)",
           make(op, a.type(), {a, b}));
  }
  const bool constant = a.type().constant && b.type().constant;
  Type type = compares(op) ? bits_type(1, false, constant)
                           : bits_type(*a.type().width, a.type().is_signed, constant);
  return make(op, std::move(type), {a, b});
}

Expr shift(Op op, const Expr& a, const Expr& amount) {
  const bool constant = a.type().constant && amount.type().constant;
  if (amount.type().is_array() || (amount.type().is_bits() && amount.type().is_signed)) {
    reject("shift amount must be an integer or unsigned", amount);
  }
  if (a.type().is_integer()) {
    must_be_integer(amount, "amount of an integer shift");
    return make(op, integer_type(constant), {a, amount});
  }
  must_be_bits(a, "shifted operand");
  return make(op, bits_type(*a.type().width, a.type().is_signed, constant), {a, amount});
}

Expr unary(Op op, const Expr& a) {
  if (a.type().is_integer() && op == Op::negate) {
    if (is_number(a)) return number(-a.node().value);
    return make(op, integer_type(a.type().constant), {a});
  }
  must_be_bits(a, "operand");
  return make(op, bits_type(*a.type().width, a.type().is_signed, a.type().constant), {a});
}

Expr to_bit(Op op, std::vector<Expr> args) {
  bool constant = true;
  for (const Expr& arg : args) {
    must_be_bits(arg, "operand");
    constant = constant && arg.type().constant;
  }
  return make(op, bits_type(1, false, constant), std::move(args));
}

/// A signal, an element of an array, or a named integer: what Verilog can select bits of.
bool selectable(const Expr& x) {
  const Node& node = x.node();
  if (node.op == Op::ref || node.op == Op::iteration) return true;
  return node.op == Op::select && node.args[0].type().is_array();
}

/// Checks that bits of x can be selected, and returns whether x is constant.
bool selected_vector(const Expr& x) {
  if (!selectable(x)) reject("only bits of a name or an array element can be selected", x);
  if (x.type().is_array()) reject("an array has elements, not bits", x);
  if (x.type().is_bits() && is_number(*x.type().width, 1))
    reject("a scalar has no bits to select", x);
  return x.type().constant;
}

}  // namespace

Expr::Expr(int value) {
  Node node;
  node.op = Op::integer;
  node.type = integer_type(true);
  node.value = value;
  node_ = std::make_shared<const Node>(std::move(node));
}

const Type& Expr::type() const { return node_->type; }

Expr Expr::operator()(const Expr& hi, const Expr& lo) const {
  const bool constant = selected_vector(*this);
  must_be_constant(hi, "upper bound");
  must_be_constant(lo, "lower bound");
  return make(Op::range, bits_type(hi - lo + 1, false, constant), {*this, hi, lo});
}

Expr Expr::at(const Expr& index) const {
  if (index.type().is_array() || (index.type().is_bits() && index.type().is_signed)) {
    reject("an index must be an integer or unsigned", index);
  }
  if (type().is_array()) {
    Type element = type();
    element.dims.erase(element.dims.begin());
    if (element.dims.empty()) element.domain = Domain::bits;
    return make(Op::select, std::move(element), {*this, index});
  }
  const bool constant = selected_vector(*this) && index.type().constant;
  return make(Op::select, bits_type(1, false, constant), {*this, index});
}

Expr Expr::part(const Expr& base, const Expr& width) const {
  const bool constant = selected_vector(*this) && base.type().constant;
  must_be_constant(width, "width of a part select");
  if (base.type().is_array() || (base.type().is_bits() && base.type().is_signed)) {
    reject("base of a part select must be an integer or unsigned", base);
  }
  return make(Op::part, bits_type(width, false, constant), {*this, base, width});
}

Expr lit(const Vec& width, std::int64_t value, Base base) {
  must_be_constant(width.width, "width of a literal");
  Node node;
  node.op = Op::literal;
  node.type = bits_type(width.width, width.is_signed, true);
  node.value = value;
  node.base = base;
  return make(std::move(node));
}

Expr operator-(const Expr& a) { return unary(Op::negate, a); }
Expr operator~(const Expr& a) { return unary(Op::bit_not, a); }
Expr operator!(const Expr& a) { return to_bit(Op::logic_not, {a}); }
Expr operator+(const Expr& a, const Expr& b) { return binary(Op::add, a, b); }
Expr operator-(const Expr& a, const Expr& b) { return binary(Op::sub, a, b); }
Expr operator*(const Expr& a, const Expr& b) { return binary(Op::mul, a, b); }
Expr operator/(const Expr& a, const Expr& b) { return binary(Op::div, a, b); }
Expr operator%(const Expr& a, const Expr& b) { return binary(Op::mod, a, b); }
Expr operator<<(const Expr& a, const Expr& amount) { return shift(Op::shift_left, a, amount); }
Expr operator>>(const Expr& a, const Expr& amount) { return shift(Op::shift_right, a, amount); }
Expr operator<(const Expr& a, const Expr& b) { return binary(Op::less, a, b); }
Expr operator<=(const Expr& a, const Expr& b) { return binary(Op::less_equal, a, b); }
Expr operator>(const Expr& a, const Expr& b) { return binary(Op::greater, a, b); }
Expr operator>=(const Expr& a, const Expr& b) { return binary(Op::greater_equal, a, b); }
Expr operator==(const Expr& a, const Expr& b) { return binary(Op::equal, a, b); }
Expr operator!=(const Expr& a, const Expr& b) { return binary(Op::not_equal, a, b); }
Expr operator&(const Expr& a, const Expr& b) { return binary(Op::bit_and, a, b); }
Expr operator^(const Expr& a, const Expr& b) { return binary(Op::bit_xor, a, b); }
Expr operator|(const Expr& a, const Expr& b) { return binary(Op::bit_or, a, b); }
Expr operator&&(const Expr& a, const Expr& b) { return to_bit(Op::logic_and, {a, b}); }
Expr operator||(const Expr& a, const Expr& b) { return to_bit(Op::logic_or, {a, b}); }

Expr asr(const Expr& a, const Expr& amount) {
  must_be_bits(a, "shifted operand");
  return shift(Op::arith_shift_right, a, amount);
}

Expr all(const Expr& a) { return to_bit(Op::reduce_and, {a}); }
Expr any(const Expr& a) { return to_bit(Op::reduce_or, {a}); }
Expr parity(const Expr& a) { return to_bit(Op::reduce_xor, {a}); }

Expr mux(const Expr& condition, const Expr& a, const Expr& b) {
  must_be_bits(condition, "condition");
  const bool constant = condition.type().constant && a.type().constant && b.type().constant;
  if (a.type().is_integer() && b.type().is_integer()) {
    return make(Op::conditional, integer_type(constant), {condition, a, b});
  }
  const Expr left = adapt(a, b.type(), Spelling::sized);
  const Expr right = adapt(b, a.type(), Spelling::sized);
  must_be_bits(left, "branch of a conditional");
  must_be_bits(right, "branch of a conditional");
  if (left.type().is_signed != right.type().is_signed) {
    reject("signed and unsigned branches are mixed (use to_signed or to_unsigned)",
           make(Op::conditional, left.type(), {condition, left, right}));
  }
  return make(Op::conditional, bits_type(*left.type().width, left.type().is_signed, constant),
              {condition, left, right});
}

Expr cat(std::vector<Expr> parts) {
  if (parts.empty()) throw HdlError("an empty concatenation");
  Expr width = 0;
  bool constant = true;
  for (const Expr& part : parts) {
    must_be_bits(part, "part of a concatenation");
    width = width + *part.type().width;
    constant = constant && part.type().constant;
  }
  return make(Op::concat, bits_type(width, false, constant), std::move(parts));
}

Expr rep(const Expr& count, const Expr& x) {
  must_be_constant(count, "count of a replication");
  must_be_bits(x, "replicated operand");
  return make(Op::replicate, bits_type(count * *x.type().width, false, x.type().constant),
              {count, x});
}

Expr clog2(const Expr& x) {
  must_be_integer(x, "argument of $clog2");
  return make(Op::clog2, integer_type(x.type().constant), {x});
}

Expr to_signed(const Expr& x) {
  must_be_bits(x, "operand of $signed");
  return make(Op::to_signed, bits_type(*x.type().width, true, x.type().constant), {x});
}

Expr to_unsigned(const Expr& x) {
  must_be_bits(x, "operand of $unsigned");
  return make(Op::to_unsigned, bits_type(*x.type().width, false, x.type().constant), {x});
}

Expr zext(const Expr& x, const Expr& width) {
  must_be_bits(x, "extended operand");
  const Expr more = width - width_of(x);
  if (is_number(more, 0)) return x.type().is_signed ? to_unsigned(x) : x;
  const Expr zero = lit(1, 0);
  return cat({is_number(more, 1) ? zero : rep(more, zero), x});
}

Expr sext(const Expr& x, const Expr& width) {
  must_be_bits(x, "extended operand");
  const Expr own = width_of(x);
  const Expr more = width - own;
  if (is_number(more, 0)) return x.type().is_signed ? x : to_signed(x);
  const Expr sign = is_number(own, 1) ? x : x.at(own - 1);
  return to_signed(cat({is_number(more, 1) ? sign : rep(more, sign), x}));
}

Expr trunc(const Expr& x, const Expr& width) {
  must_be_bits(x, "truncated operand");
  const Expr low = x(width - 1, 0);
  return x.type().is_signed ? to_signed(low) : low;
}

Expr fit(const Expr& x, const Expr& width) {
  must_be_integer(x, "operand of fit");
  if (is_number(x)) return lit(width, x.node().value);
  if (x.node().op != Op::ref) reject("fit needs a named integer (Scope::localparam)", x);
  Node node = x(width - 1, 0).node();
  node.whole = true;
  return make(std::move(node));
}

Expr wrapped(const Expr& x, const Expr& width) {
  must_be_integer(x, "wrapped operand");
  const Node& node = x.node();
  const auto operand = [&](std::size_t i) {
    return is_number(node.args[i]) ? node.args[i] : wrapped(node.args[i], width);
  };
  switch (node.op) {
    case Op::integer:
      return lit(width, node.value);
    case Op::ref:
      return x(width - 1, 0);
    case Op::add:
      return operand(0) + operand(1);
    case Op::sub:
      return operand(0) - operand(1);
    case Op::mul:
      return operand(0) * operand(1);
    default:
      reject("give it a localparam of its own first", x);
  }
}

Expr width_of(const Expr& x) {
  must_be_bits(x, "operand");
  return *x.type().width;
}

Expr negated(const Expr& condition) {
  const auto& args = condition.node().args;
  switch (condition.node().op) {
    case Op::less:
      return args[0] >= args[1];
    case Op::less_equal:
      return args[0] > args[1];
    case Op::greater:
      return args[0] <= args[1];
    case Op::greater_equal:
      return args[0] < args[1];
    case Op::equal:
      return args[0] != args[1];
    case Op::not_equal:
      return args[0] == args[1];
    case Op::logic_and:
      return negated(args[0]) || negated(args[1]);
    case Op::logic_or:
      return negated(args[0]) && negated(args[1]);
    case Op::logic_not:
      return args[0];
    default:
      return !condition;
  }
}

Expr ref(const Object& object) {
  Node node;
  node.op = Op::ref;
  node.type = object.type;
  node.object = &object;
  return make(std::move(node));
}

Expr call(const FunctionInfo& function, std::vector<Expr> args) {
  if (args.size() != function.inputs.size()) {
    throw HdlError(fmt::format("function {} takes {} arguments, not {}", function.name,
                               function.inputs.size(), args.size()));
  }
  Node node;
  node.op = Op::call;
  node.type = function.result.type;
  node.type.constant = true;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Object& input = function.inputs[i];
    args[i] = adapt(args[i], input.type, Spelling::sized);
    if (args[i].type().domain != input.type.domain) {
      reject(
          fmt::format("argument {} of function {} is of the wrong kind", input.name, function.name),
          args[i]);
    }
    node.type.constant = node.type.constant && args[i].type().constant;
  }
  node.args = std::move(args);
  node.function = &function;
  return make(std::move(node));
}

Expr adapt(const Expr& value, const Type& like, Spelling spelling) {
  if (!is_number(value) || !like.is_bits()) return value;
  const bool decimal_is_shorter = !is_number(*like.width) && value.node().value >= 0;
  Node node;
  node.op = Op::literal;
  node.type = bits_type(*like.width, like.is_signed, true);
  node.value = value.node().value;
  node.spelling = spelling == Spelling::decimal && !decimal_is_shorter ? Spelling::sized : spelling;
  return make(std::move(node));
}

}  // namespace weft::rtl::hdl
