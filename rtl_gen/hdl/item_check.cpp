// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/item_check.h"

#include <fmt/format.h>

#include <utility>

#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/printer.h"
#include "rtl_gen/hdl/width_check.h"

namespace weft::rtl::hdl {
namespace {

using Kind = StmtNode::Kind;

class ItemCheck {
 public:
  ItemCheck(Env& env, Usage* usage, std::int64_t limit) : env_(env), usage_(usage), limit_(limit) {}

  void operator()(const CommentItem&) {}
  void operator()(const BlankItem&) {}
  void operator()(const GenerateItem&) {}

  void operator()(const DeclarationItem& item) {
    const Object& object = *item.object;
    if (usage_ != nullptr && object.is_signal()) usage_->open(object);
    if (object.type.width) env_.width(ref(object));
    for (const Expr& dim : object.type.dims) {
      const std::int64_t size = env_.require(dim);
      if (size < 1) throw HdlError(fmt::format("an array of {} elements", size));
    }
    if (!object.value) return;
    if (object.kind == ObjectKind::localparam) return check_localparam(object);
    check_assignment(ref(object), *object.value, env_);
    if (usage_ == nullptr) return;
    usage_->read(*object.value);
    usage_->drive(ref(object), usage_->new_driver());
  }

  void operator()(const AssignItem& item) {
    check_assignment(item.target, item.value, env_);
    if (usage_ == nullptr) return;
    usage_->read(item.value);
    usage_->drive(item.target, usage_->new_driver());
  }

  void operator()(const AlwaysItem& item) {
    const int driver = usage_ == nullptr ? 0 : usage_->new_driver();
    if (item.clock) {
      if (env_.width(*item.clock) != 1) throw HdlError("the clock has more than one bit");
      if (usage_ != nullptr) usage_->read(*item.clock);
    }
    run(item.body, driver);
  }

  void operator()(const FunctionItem& item) {
    // Its members are no signals: there is nothing to record.
    Usage* const usage = std::exchange(usage_, nullptr);
    run(item.function->body, 0);
    usage_ = usage;
  }

  void operator()(const InstanceItem& item) {
    ParameterValues values;
    for (const Connection& c : item.parameters) values[c.name] = env_.require(c.value);
    Env inner(*item.module, values);
    for (const Connection& c : item.ports) {
      const Object& port = *item.module->find_port(c.name);
      const std::int64_t wanted = inner.width(ref(port));
      const std::int64_t found = checked_width(c.value, env_);
      if (wanted != found) {
        throw HdlError(fmt::format("port {} has {} bits, {} has {}", c.name, wanted,
                                   to_verilog(c.value), found));
      }
      if (usage_ == nullptr) continue;
      if (port.kind == ObjectKind::input) {
        usage_->read(c.value);
      } else {
        usage_->drive(c.value, usage_->new_driver());
      }
    }
  }

  void operator()(const RequireItem& item) {
    if (env_.require(item.illegal) != 0) throw HdlError("does not hold");
  }

 private:
  void check_localparam(const Object& object) {
    const Expr& value = *object.value;
    if (!object.type.is_bits()) {
      checked_width(value, env_);
      env_.require(value);
      return;
    }
    check_assignment(ref(object), value, env_);
    if (!object.number) return;
    const Expr number =
        lit({*object.type.width, object.type.is_signed}, env_.require(*object.number));
    checked_width(number, env_);
  }

  void run(const Body& body, int driver) {
    for (const Stmt& statement : body) run(statement.node(), driver);
  }

  void run(const StmtNode& node, int driver) {
    switch (node.kind) {
      case Kind::remark:
        return;
      case Kind::blocking:
      case Kind::nonblocking:
        check_assignment(node.exprs[0], node.exprs[1], env_);
        if (usage_ == nullptr) return;
        usage_->read(node.exprs[1]);
        usage_->drive(node.exprs[0], driver);
        return;
      case Kind::conditional:
        return run_if(node, driver);
      case Kind::selection:
        return run_case(node, driver);
      case Kind::loop:
        return run_loop(node, driver);
    }
  }

  void run_if(const StmtNode& node, int driver) {
    for (const auto& branch : node.branches) {
      if (branch.guards.empty()) return run(branch.body, driver);
      const Expr& condition = branch.guards.front();
      const std::int64_t width = checked_width(condition, env_);
      if (width != 1) {
        throw HdlError(fmt::format("a condition of {} bits: {}", width, to_verilog(condition)));
      }
      if (usage_ != nullptr) usage_->read(condition);
      const auto known = env_.value(condition);
      if (!known || *known != 0) run(branch.body, driver);
      if (known && *known != 0) return;
    }
  }

  void run_case(const StmtNode& node, int driver) {
    const Expr& subject = node.exprs[0];
    const std::int64_t width = checked_width(subject, env_);
    if (usage_ != nullptr) usage_->read(subject);
    for (const auto& branch : node.branches) {
      for (const Expr& label : branch.guards) {
        if (checked_width(label, env_) != width) {
          throw HdlError(fmt::format("case label {} for {} of {} bits", to_verilog(label),
                                     to_verilog(subject), width));
        }
      }
      run(branch.body, driver);
    }
  }

  void run_loop(const StmtNode& node, int driver) {
    const Object& variable = *node.exprs[0].node().object;
    const auto begin = env_.value(node.exprs[1]);
    const auto end = env_.value(node.exprs[2]);
    if (!begin || !end) return run(node.branches[0].body, driver);  // bounds of a running function
    const bool sampled = *end - *begin > limit_;
    if (sampled && usage_ != nullptr) usage_->enter_sampled();
    for (const std::int64_t i : samples(*begin, *end, limit_)) {
      env_.bind(variable, i);
      run(node.branches[0].body, driver);
    }
    env_.unbind(variable);
    if (sampled && usage_ != nullptr) usage_->leave_sampled();
  }

  Env& env_;
  Usage* usage_;
  std::int64_t limit_;
};

}  // namespace

/// Values begin .. end - 1, or the first two and the last when there are more than `limit`.
std::vector<std::int64_t> samples(std::int64_t begin, std::int64_t end, std::int64_t limit) {
  std::vector<std::int64_t> values;
  if (end - begin > limit) return {begin, begin + 1, end - 1};
  for (std::int64_t i = begin; i < end; ++i) values.push_back(i);
  return values;
}

void check_item_sizes(const Item& item, Env& env, Usage* usage, std::int64_t limit) {
  ItemCheck check(env, usage, limit);
  std::visit(check, item);
}

}  // namespace weft::rtl::hdl
