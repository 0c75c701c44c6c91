// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "rtl_gen/hdl/module.h"

namespace weft::rtl::hdl {

/// Values of parameters, genvars and loop variables, and the constant expressions they give.
class Env {
 public:
  /// Parameters not in `values` have their default. Throws HdlError on a name that is no parameter.
  explicit Env(const Module& module, const ParameterValues& values = {});

  /// Gives a genvar, loop variable or function member a value until the next bind or unbind.
  void bind(const Object& object, std::int64_t value);
  void unbind(const Object& object);

  /// Value of a constant; none if it depends on a signal or an unbound variable. Throws HdlError on
  /// division by zero and on integers beyond 32 bits.
  [[nodiscard]] std::optional<std::int64_t> value(const Expr& expr);
  /// The same where there must be a value.
  std::int64_t require(const Expr& expr);
  /// Width in bits of a bits or array-element expression.
  std::int64_t width(const Expr& expr);

  /// Whether the branch of a generate-if is the one taken.
  [[nodiscard]] bool exists(const Guard& guard);

  /// "WIDTH = 8, r = 0" for messages; empty if nothing is bound.
  [[nodiscard]] std::string describe() const;

 private:
  std::optional<std::int64_t> of_object(const Object& object);
  std::optional<std::int64_t> of_call(const Node& node);
  bool run(const Body& body);
  bool run(const StmtNode& statement);

  const Module& module_;
  std::unordered_map<const Object*, std::int64_t> bound_;
  std::unordered_map<const Object*, std::int64_t> localparams_;  ///< of the module's own scope
};

}  // namespace weft::rtl::hdl
