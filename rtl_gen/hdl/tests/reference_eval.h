// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "rtl_gen/hdl/object.h"

namespace weft::rtl::hdl::test {

/// Bit patterns of signals, in the low bits.
using Values = std::map<const Object*, std::uint64_t>;

/// What an expression tree means, computed without its text: each node on the width and signedness
/// of its own type, which must be a number of at most 32 bits. None where Verilog gives x (division
/// by zero).
std::optional<std::uint64_t> reference_value(const Expr& expr, const Values& values);

}  // namespace weft::rtl::hdl::test
