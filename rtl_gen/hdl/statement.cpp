// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/statement.h"

#include <fmt/format.h>

#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/object.h"
#include "rtl_gen/hdl/printer.h"

namespace weft::rtl::hdl {
namespace {

StmtNode assignment(StmtNode::Kind kind, const Expr& target, const Expr& value) {
  const Expr adapted = adapt(value, target.type(), Spelling::decimal);
  if (target.type().is_array() || adapted.type().domain != target.type().domain) {
    throw HdlError(fmt::format("{} cannot be assigned to {}: {} and {}", to_verilog(adapted),
                               to_verilog(target), adapted.type().is_integer() ? "integer" : "bits",
                               target.type().is_array()     ? "whole array"
                               : target.type().is_integer() ? "integer"
                                                            : "bits"));
  }
  StmtNode node;
  node.kind = kind;
  node.exprs = {target, adapted};
  return node;
}

void must_be_condition(const Expr& condition) {
  if (!condition.type().is_bits()) {
    throw HdlError("a condition must be a bit, not an integer: " + to_verilog(condition));
  }
}

}  // namespace

Stmt::Stmt(StmtNode node) { reset(std::move(node)); }

void Stmt::reset(StmtNode node) { node_ = std::make_shared<const StmtNode>(std::move(node)); }

Stmt Stmt::note(std::string text) const {
  StmtNode copy = node();
  if (copy.kind != StmtNode::Kind::blocking && copy.kind != StmtNode::Kind::nonblocking) {
    throw HdlError("only an assignment can have a note; use remark before other statements");
  }
  copy.text = std::move(text);
  return Stmt(std::move(copy));
}

Stmt operator<<=(const Expr& target, const Expr& value) {
  return Stmt(assignment(StmtNode::Kind::nonblocking, target, value));
}

Stmt set(const Expr& target, const Expr& value) {
  return Stmt(assignment(StmtNode::Kind::blocking, target, value));
}

Stmt remark(std::string text) {
  StmtNode node;
  node.text = std::move(text);
  return Stmt(std::move(node));
}

If::If(const Expr& condition, Body body) {
  must_be_condition(condition);
  StmtNode node;
  node.kind = StmtNode::Kind::conditional;
  node.branches.push_back({{condition}, std::move(body)});
  reset(std::move(node));
}

If& If::else_if(const Expr& condition, Body body) {
  must_be_condition(condition);
  StmtNode copy = node();
  if (copy.branches.back().guards.empty()) throw HdlError("else_if after else_");
  copy.branches.push_back({{condition}, std::move(body)});
  reset(std::move(copy));
  return *this;
}

If& If::else_(Body body) {  // NOLINT(readability-identifier-naming)
  StmtNode copy = node();
  if (copy.branches.back().guards.empty()) throw HdlError("a second else_");
  copy.branches.push_back({{}, std::move(body)});
  reset(std::move(copy));
  return *this;
}

Case::Case(const Expr& subject) {
  if (!subject.type().is_bits()) throw HdlError("case needs bits: " + to_verilog(subject));
  StmtNode node;
  node.kind = StmtNode::Kind::selection;
  node.exprs = {subject};
  reset(std::move(node));
}

Case& Case::when(std::vector<Expr> labels, Body body) {
  StmtNode copy = node();
  if (labels.empty()) throw HdlError("a case item without labels; use otherwise");
  if (!copy.branches.empty() && copy.branches.back().guards.empty()) {
    throw HdlError("a case item after otherwise");
  }
  for (Expr& label : labels) {
    label = adapt(label, copy.exprs[0].type(), Spelling::sized);
    if (!label.type().is_bits() || !label.type().constant) {
      throw HdlError("a case label must be constant bits: " + to_verilog(label));
    }
  }
  copy.branches.push_back({std::move(labels), std::move(body)});
  reset(std::move(copy));
  return *this;
}

Case& Case::otherwise(Body body) {
  StmtNode copy = node();
  if (!copy.branches.empty() && copy.branches.back().guards.empty()) {
    throw HdlError("a second otherwise");
  }
  copy.branches.push_back({{}, std::move(body)});
  reset(std::move(copy));
  return *this;
}

For::For(const Expr& variable, const Expr& begin, const Expr& end, Body body) {
  const Object* object = variable.node().object;
  if (object == nullptr ||
      (object->kind != ObjectKind::loop_variable &&
       object->kind != ObjectKind::function_variable) ||
      !object->type.is_integer()) {
    throw HdlError("a for statement needs a loop variable, not " + to_verilog(variable));
  }
  if (!begin.type().is_integer() || !end.type().is_integer()) {
    throw HdlError("the bounds of a for statement must be integers: " + to_verilog(begin) + ", " +
                   to_verilog(end));
  }
  StmtNode node;
  node.kind = StmtNode::Kind::loop;
  node.exprs = {variable, begin, end};
  node.branches.push_back({{}, std::move(body)});
  reset(std::move(node));
}

ForDown::ForDown(const Expr& variable, const Expr& begin, const Expr& end, Body body) {
  StmtNode node = For(variable, begin, end, std::move(body)).node();
  node.descending = true;
  reset(std::move(node));
}

}  // namespace weft::rtl::hdl
