// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "rtl_gen/hdl/eval.h"
#include "rtl_gen/hdl/module.h"

namespace weft::rtl::hdl {

/// Width in bits of `expr` in `env`, after checking every operator in it: operands of one width,
/// conditions of one bit, selects inside what they select from, literals that fit. Branches that a
/// constant condition excludes are not looked at. Integers have 32 bits.
std::int64_t checked_width(const Expr& expr, Env& env);

/// Checks an assignment: both sides of one domain and width.
void check_assignment(const Expr& target, const Expr& value, Env& env);

/// Bits that an index into `size` things must have, as linters want it: $clog2, but at least one.
std::int64_t index_width(std::int64_t size);

}  // namespace weft::rtl::hdl
