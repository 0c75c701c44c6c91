// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/walk.h"

namespace weft::rtl::hdl {

void visit(const Expr& expr, const ExprVisitor& f) {
  f(expr);
  for (const Expr& arg : expr.node().args) visit(arg, f);
  if (expr.node().op == Op::literal) visit(*expr.type().width, f);
}

void visit(const Body& body, const ExprVisitor& f) {
  for (const Stmt& statement : body) {
    for (const Expr& expr : statement.node().exprs) visit(expr, f);
    for (const auto& branch : statement.node().branches) {
      for (const Expr& guard : branch.guards) visit(guard, f);
      visit(branch.body, f);
    }
  }
}

void visit_declaration(const Object& object, const ExprVisitor& f) {
  if (object.type.width) visit(*object.type.width, f);
  for (const Expr& dim : object.type.dims) visit(dim, f);
  if (object.value) visit(*object.value, f);
  if (object.number) visit(*object.number, f);
}

void visit(const Item& item, const ExprVisitor& f) {
  std::visit(Overloaded{
                 [](const CommentItem&) {},
                 [](const BlankItem&) {},
                 [&](const DeclarationItem& i) { visit_declaration(*i.object, f); },
                 [&](const AssignItem& i) {
                   visit(i.target, f);
                   visit(i.value, f);
                 },
                 [&](const AlwaysItem& i) {
                   if (i.clock) visit(*i.clock, f);
                   visit(i.body, f);
                 },
                 [&](const GenerateItem& i) {
                   for (const auto& scope : i.scopes) {
                     const Guard& guard = scope->guard();
                     if (guard.begin) visit(*guard.begin, f);
                     if (guard.end) visit(*guard.end, f);
                     if (guard.condition) visit(*guard.condition, f);
                   }
                 },
                 [&](const InstanceItem& i) {
                   for (const Connection& c : i.parameters) visit(c.value, f);
                   for (const Connection& c : i.ports) visit(c.value, f);
                 },
                 [&](const FunctionItem& i) {
                   if (i.function->result.type.width) visit(*i.function->result.type.width, f);
                   for (const Object& object : i.function->inputs) visit_declaration(object, f);
                   for (const Object& object : i.function->variables) visit_declaration(object, f);
                   visit(i.function->body, f);
                 },
                 [&](const RequireItem& i) { visit(i.illegal, f); },
             },
             item);
}

void visit_scope(const Scope& scope, const std::function<void(const Item&)>& f) {
  for (const Item& item : scope.items()) {
    f(item);
    if (const auto* generate = std::get_if<GenerateItem>(&item)) {
      for (const auto& inner : generate->scopes) visit_scope(*inner, f);
    }
  }
}

}  // namespace weft::rtl::hdl
