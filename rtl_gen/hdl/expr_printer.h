// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rtl_gen/hdl/expr.h"

namespace weft::rtl::hdl {

/// Text of an expression in which some spaces are places where a line may be broken. They are the
/// characters 1 to 8: the smaller, the further out in the expression, and the better a break there.
using BreakableText = std::string;

/// `depth` is that of the outermost breaks.
BreakableText breakable(const Expr& expr, int depth = 0);

/// `x` where range and index brackets stand: no spaces, no breaks.
std::string compact(const Expr& expr);

/// A space where a line may be broken.
char break_at(int depth);

/// A value and the operator before it, ` = value`: a break behind the operator where no other
/// helps.
BreakableText assigned(const char* assignment_operator, const Expr& value);

/// All breaks replaced by spaces.
std::string flat(const BreakableText& text);

/// The text in lines of at most `width` columns, if its breaks allow it; the first begins at column
/// `first`, the others are indented by `rest`.
std::vector<std::string> broken(const BreakableText& text, std::size_t first, std::size_t rest,
                                std::size_t width);

}  // namespace weft::rtl::hdl
