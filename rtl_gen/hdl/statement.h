// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rtl_gen/hdl/expr.h"

namespace weft::rtl::hdl {

struct StmtNode;

/// A statement of an always block or function: an immutable handle, like Expr.
/// Built by `q <<= d`, set, If, Case, For and remark.
class Stmt {
 public:
  explicit Stmt(StmtNode node);
  [[nodiscard]] const StmtNode& node() const { return *node_; }

  /// The same statement with a comment behind it (assignments only).
  [[nodiscard]] Stmt note(std::string text) const;

 protected:
  Stmt() = default;
  void reset(StmtNode node);

 private:
  std::shared_ptr<const StmtNode> node_;
};

using Body = std::vector<Stmt>;

struct StmtNode {
  enum class Kind { nonblocking, blocking, conditional, selection, loop, remark };
  /// A guarded body: condition of an if (none: else), labels of a case item (none: default).
  struct Branch {
    std::vector<Expr> guards;
    Body body;
  };
  Kind kind = Kind::remark;
  std::vector<Expr> exprs;       ///< target, value | case subject | loop variable, begin, end
  std::vector<Branch> branches;  ///< if, case; a loop has one
  bool descending = false;       ///< a loop runs from end - 1 down to begin
  std::string text;              ///< remark, or the note of an assignment
};

/// The blocking assignment `target = value`, for combinational blocks and functions.
Stmt set(const Expr& target, const Expr& value);

/// Comment lines of their own inside a body.
Stmt remark(std::string text);

/// `if (condition) ... else if ... else ...`.
class If : public Stmt {
 public:
  If(const Expr& condition, Body body);
  If& else_if(const Expr& condition, Body body);
  If& else_(Body body);  // NOLINT(readability-identifier-naming): else is a keyword
};

/// `case (subject) ... endcase`. Needs a default: what happens otherwise is always said.
class Case : public Stmt {
 public:
  explicit Case(const Expr& subject);
  Case& when(std::vector<Expr> labels, Body body);
  Case& otherwise(Body body);
};

/// `for (variable = begin; variable < end; variable = variable + 1)`; the variable comes from
/// Module::loop_variable or FunctionBuilder::integer.
class For : public Stmt {
 public:
  For(const Expr& variable, const Expr& begin, const Expr& end, Body body);

 protected:
  For() = default;
};

/// `for (variable = end - 1; variable >= begin; variable = variable - 1)`: the same range
/// downwards.
class ForDown : public For {
 public:
  ForDown(const Expr& variable, const Expr& begin, const Expr& end, Body body);
};

}  // namespace weft::rtl::hdl
