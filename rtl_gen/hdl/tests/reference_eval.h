// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "rtl_gen/hdl/eval.h"

namespace weft::rtl::hdl::test {

/// Bit patterns of signals, in the low bits.
using Values = std::map<const Object*, std::uint64_t>;

/// What an expression tree means, computed without its text: each node on the width and signedness
/// of its own type, at most 32 bits at the parameters of `env`. None where Verilog gives x
/// (division by zero).
std::optional<std::uint64_t> reference_value(const Expr& expr, const Values& values, Env& env);

}  // namespace weft::rtl::hdl::test
