// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/printer.h"

namespace weft::rtl::hdl {
namespace {

using Value = std::optional<std::int64_t>;

std::int64_t checked(std::int64_t value, const Node& node) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (value < Limits::min() || value > Limits::max()) {
    throw HdlError("an integer exceeds 32 bits: " +
                   to_verilog(Expr(std::make_shared<const Node>(node))));
  }
  return value;
}

std::int64_t clog2_of(std::int64_t x, const Node& node) {
  if (x < 1) {
    throw HdlError(
        fmt::format("$clog2 of {}: {}", x, to_verilog(Expr(std::make_shared<const Node>(node)))));
  }
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(x - 1)));
}

std::int64_t divisor(std::int64_t b, const Node& node) {
  if (b == 0) {
    throw HdlError("division by zero: " + to_verilog(Expr(std::make_shared<const Node>(node))));
  }
  return b;
}

/// Bits `hi` to `lo` of an integer.
std::int64_t bits_of(std::int64_t x, std::int64_t hi, std::int64_t lo) {
  const std::int64_t width = hi - lo + 1;
  if (lo < 0 || width < 1 || width > 32)
    throw HdlError(fmt::format("illegal bits [{}:{}]", hi, lo));
  return (x >> std::min<std::int64_t>(lo, 63)) & ((std::int64_t{1} << width) - 1);
}

Value binary(const Node& node, std::int64_t a, std::int64_t b) {
  switch (node.op) {
    case Op::add:
      return checked(a + b, node);
    case Op::sub:
      return checked(a - b, node);
    case Op::mul:
      return checked(a * b, node);
    case Op::div:
      return a / divisor(b, node);
    case Op::mod:
      return a % divisor(b, node);
    case Op::shift_left:
      return b < 0 || b > 31 ? 0 : checked(a << b, node);
    case Op::shift_right:
      return b < 0 || b > 31 ? 0 : (a & 0xffffffff) >> b;
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
    case Op::not_equal:
      return a != b;
    case Op::logic_and:
      return (a != 0) && (b != 0);
    case Op::logic_or:
      return (a != 0) || (b != 0);
    default:
      return std::nullopt;
  }
}

}  // namespace

Env::Env(const Module& module, const ParameterValues& values) : module_(module) {
  for (const auto& [name, value] : values) {
    const Object* parameter = module.find_parameter(name);
    if (parameter == nullptr) {
      throw HdlError(fmt::format("module {} has no parameter {}", module.name(), name));
    }
    bound_[parameter] = value;
  }
  for (const Object* parameter : module.parameters()) {
    bound_.try_emplace(parameter, parameter->value->node().value);
  }
}

void Env::bind(const Object& object, std::int64_t value) { bound_[&object] = value; }

void Env::unbind(const Object& object) { bound_.erase(&object); }

Value Env::of_object(const Object& object) {
  if (const auto it = bound_.find(&object); it != bound_.end()) return it->second;
  if (object.kind != ObjectKind::localparam) return std::nullopt;
  // Only the module's own localparams have one value; those of generate blocks depend on genvars.
  const bool memoise = object.scope->parent() == nullptr;
  if (memoise) {
    if (const auto it = localparams_.find(&object); it != localparams_.end()) return it->second;
  }
  const Value result = value(object.number ? *object.number : *object.value);
  if (result && memoise) localparams_[&object] = *result;
  return result;
}

Value Env::value(const Expr& expr) {
  const Node& node = expr.node();
  switch (node.op) {
    case Op::integer:
    case Op::literal:
      return node.value;
    case Op::ref:
      return of_object(*node.object);
    case Op::call:
      return of_call(node);
    case Op::conditional: {
      const Value condition = value(node.args[0]);
      if (!condition) return std::nullopt;
      return value(node.args[*condition != 0 ? 1 : 2]);
    }
    case Op::range: {
      const Value x = value(node.args[0]);
      const Value hi = value(node.args[1]);
      const Value lo = value(node.args[2]);
      return x && hi && lo ? Value(bits_of(*x, *hi, *lo)) : std::nullopt;
    }
    default:
      break;
  }
  if (node.args.empty() || node.args.size() > 2) return std::nullopt;
  const Value a = value(node.args[0]);
  if (!a) return std::nullopt;
  if (node.args.size() == 1) {
    switch (node.op) {
      case Op::negate:
        return expr.type().is_integer() ? Value(-*a) : std::nullopt;
      case Op::logic_not:
        return *a == 0;
      case Op::clog2:
        return clog2_of(*a, node);
      default:
        return std::nullopt;
    }
  }
  // Arithmetic on bits wraps at their width; no constant that matters here is computed that way.
  if (!expr.type().is_integer() && expr.type().is_bits() && node.op >= Op::add &&
      node.op <= Op::arith_shift_right) {
    return std::nullopt;
  }
  const Value b = value(node.args[1]);
  return b ? binary(node, *a, *b) : std::nullopt;
}

std::int64_t Env::require(const Expr& expr) {
  if (const Value result = value(expr)) return *result;
  throw HdlError("cannot be evaluated when elaborating: " + to_verilog(expr));
}

std::int64_t Env::width(const Expr& expr) {
  if (!expr.type().width) throw HdlError("an integer has no declared width: " + to_verilog(expr));
  const std::int64_t bits = require(*expr.type().width);
  if (bits < 1) throw HdlError(fmt::format("{} is {} bits wide", to_verilog(expr), bits));
  return bits;
}

bool Env::exists(const Guard& guard) {
  const auto holds = [this](const Expr& condition) { return require(condition) != 0; };
  return std::ranges::none_of(guard.earlier, holds) &&
         (!guard.condition || holds(*guard.condition));
}

Value Env::of_call(const Node& node) {
  const FunctionInfo& function = *node.function;
  std::vector<std::int64_t> args;
  for (const Expr& arg : node.args) {
    const Value v = value(arg);
    if (!v) return std::nullopt;
    args.push_back(*v);
  }
  const auto saved = bound_;
  for (std::size_t i = 0; i < args.size(); ++i) bind(function.inputs[i], args[i]);
  const bool done = run(function.body);
  const Value result = done ? of_object(function.result) : std::nullopt;
  bound_ = saved;
  return result;
}

bool Env::run(const Body& body) {
  return std::ranges::all_of(body, [this](const Stmt& s) { return run(s.node()); });
}

/// Executes an integer statement; false if it needs something that has no value.
bool Env::run(const StmtNode& statement) {
  switch (statement.kind) {
    case StmtNode::Kind::remark:
      return true;
    case StmtNode::Kind::blocking: {
      const Node& target = statement.exprs[0].node();
      const Value v = value(statement.exprs[1]);
      if (!v || target.op != Op::ref || !target.type.is_integer()) return false;
      bind(*target.object, *v);
      return true;
    }
    case StmtNode::Kind::conditional:
      for (const auto& branch : statement.branches) {
        const Value condition = branch.guards.empty() ? Value(1) : value(branch.guards[0]);
        if (!condition) return false;
        if (*condition != 0) return run(branch.body);
      }
      return true;
    case StmtNode::Kind::loop: {
      const Object& variable = *statement.exprs[0].node().object;
      const Value begin = value(statement.exprs[1]);
      if (!begin) return false;
      if (statement.descending) return false;  // constant functions count upwards
      for (std::int64_t i = *begin;; ++i) {
        bind(variable, i);
        const Value end = value(statement.exprs[2]);
        if (!end) return false;
        if (i >= *end) return true;
        if (!run(statement.branches[0].body)) return false;
      }
    }
    default:
      return false;
  }
}

std::string Env::describe() const {
  std::vector<std::string> parts;
  const auto add = [&](const Object& object) {
    if (const auto it = bound_.find(&object); it != bound_.end()) {
      parts.push_back(fmt::format("{} = {}", object.name, it->second));
    }
  };
  for (const Object* parameter : module_.parameters()) add(*parameter);
  std::vector<const Object*> variables;
  for (const auto& [object, bound] : bound_) {
    if (object->kind != ObjectKind::parameter) variables.push_back(object);
  }
  std::ranges::sort(variables, {}, [](const Object* o) { return o->name; });
  for (const Object* variable : variables) add(*variable);
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace weft::rtl::hdl
