// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "rtl_gen/hdl/module.h"

namespace weft::rtl::hdl {

/// Lambdas as one visitor for std::visit.
template <typename... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

using ExprVisitor = std::function<void(const Expr&)>;

// Call f for every expression of ..., and for the expressions in it.
void visit(const Expr& expr, const ExprVisitor& f);
void visit(const Body& body, const ExprVisitor& f);
void visit_declaration(const Object& object, const ExprVisitor& f);
/// Not of the scopes below a generate item.
void visit(const Item& item, const ExprVisitor& f);

/// Calls f for every item of the scope and of the generate blocks in it.
void visit_scope(const Scope& scope, const std::function<void(const Item&)>& f);

}  // namespace weft::rtl::hdl
