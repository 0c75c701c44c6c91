// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "rtl_gen/hdl/module.h"

namespace weft::rtl::hdl {

// The checks behind Scope and Module. All throw HdlError with the module, the item, and the
// parameter values at which it is wrong.

/// That the names in `expr` are declared in `scope` or around it.
void check_visible(const Scope& scope, const Expr& expr);

/// An item about to be appended to `scope`: that the names it uses are declared and of the right
/// kind, and its widths at the default parameters, for the first two and the last iteration of each
/// enclosing generate loop.
void check_item(const Scope& scope, const Item& item);

/// What does not depend on parameter values: parameters, localparams and functions that nothing
/// uses.
void check_structure(const Module& module);

/// Whether a signal that nothing uses is an error: it is at the sizes that are emitted, but a
/// degenerate size may well leave a clock idle.
enum class UnusedSignals { rejected, accepted };

/// The whole module at the given parameters: widths, several drivers, undriven and unused signals;
/// the modules below it at the parameters that it gives them. Generate and for loops of at most 16
/// iterations are walked completely, longer ones at the first two and the last: signals touched
/// there are not checked bit by bit.
void check_module(const Module& module, const ParameterValues& values, UnusedSignals unused);

/// Names that say so are not reported as unused, here as in linters.
bool is_unused_name(std::string_view name);

}  // namespace weft::rtl::hdl
