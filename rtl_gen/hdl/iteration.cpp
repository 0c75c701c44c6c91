// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/iteration.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/printer.h"

namespace weft::rtl::hdl {
namespace {

/// Integer expressions as they are in another iteration: genvars replaced by its indices.
class Substitution {
 public:
  Substitution(const std::vector<const Scope*>& scopes, const std::vector<Expr>& indices)
      : scopes_(scopes) {
    std::size_t next = 0;
    for (const Scope* scope : scopes) {
      if (scope->guard().genvar != nullptr)
        indices_.emplace(scope->guard().genvar, indices[next++]);
    }
  }

  Expr operator()(const Expr& x) const {
    const Node& node = x.node();
    if (node.op == Op::integer) return x;
    if (node.op == Op::ref) return of_object(x);
    std::vector<Expr> args;
    for (const Expr& arg : node.args) args.push_back((*this)(arg));
    switch (node.op) {
      case Op::negate:
        return -args[0];
      case Op::logic_not:
        return !args[0];
      case Op::add:
        return args[0] + args[1];
      case Op::sub:
        return args[0] - args[1];
      case Op::mul:
        return args[0] * args[1];
      case Op::div:
        return args[0] / args[1];
      case Op::mod:
        return args[0] % args[1];
      case Op::shift_left:
        return args[0] << args[1];
      case Op::shift_right:
        return args[0] >> args[1];
      case Op::less:
        return args[0] < args[1];
      case Op::less_equal:
        return args[0] <= args[1];
      case Op::greater:
        return args[0] > args[1];
      case Op::greater_equal:
        return args[0] >= args[1];
      case Op::equal:
        return args[0] == args[1];
      case Op::not_equal:
        return args[0] != args[1];
      case Op::logic_and:
        return args[0] && args[1];
      case Op::logic_or:
        return args[0] || args[1];
      case Op::conditional:
        return mux(args[0], args[1], args[2]);
      case Op::clog2:
        return clog2(args[0]);
      case Op::call:
        return call(*node.function, std::move(args));
      default:
        throw HdlError("a width that cannot be written for another iteration: " + to_verilog(x));
    }
  }

 private:
  /// A localparam of the blocks themselves is replaced by its value there.
  [[nodiscard]] Expr of_object(const Expr& x) const {
    const Object& object = *x.node().object;
    if (const auto it = indices_.find(&object); it != indices_.end()) return it->second;
    const bool local = std::ranges::find(scopes_, object.scope) != scopes_.end();
    return local && object.value ? (*this)(*object.value) : x;
  }

  const std::vector<const Scope*>& scopes_;
  std::map<const Object*, Expr> indices_;
};

}  // namespace

std::vector<const Scope*> iteration_path(const Expr& iteration) {
  std::vector<const Scope*> path;
  std::size_t missing = iteration.node().args.size();
  const Object& object = *iteration.node().object;
  for (const Scope* scope = object.scope; missing > 0; scope = scope->parent()) {
    if (scope == nullptr) throw HdlError(object.name + " has more indices than generate loops");
    if (scope->guard().genvar != nullptr) --missing;
    path.insert(path.begin(), scope);
  }
  return path;
}

Expr at_iteration(const Expr& signal, const std::vector<Expr>& indices) {
  const Object* const object = signal.node().op == Op::ref ? signal.node().object : nullptr;
  if (object == nullptr || !object->is_signal()) {
    throw HdlError("only a signal has other iterations: " + to_verilog(signal));
  }
  if (indices.empty()) throw HdlError("no index for another iteration of " + object->name);
  for (const Expr& index : indices) {
    if (!index.type().is_integer() || !index.type().constant) {
      throw HdlError("an iteration has a constant index, not " + to_verilog(index));
    }
  }
  Node node;
  node.op = Op::iteration;
  node.type = object->type;
  node.args = indices;
  node.object = object;
  const auto path = iteration_path(Expr(std::make_shared<const Node>(node)));
  const Substitution there(path, indices);
  node.type.width = there(*node.type.width);
  for (Expr& dim : node.type.dims) dim = there(dim);
  return Expr(std::make_shared<const Node>(std::move(node)));
}

}  // namespace weft::rtl::hdl
