// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rtl_gen/hdl/module.h"

namespace weft::rtl::hdl {

// What may be said whatever the parameters are. Throws HdlError without module and item.

/// Names that an item may use besides those of its scopes: loop variables, members of a function.
struct Locals {
  std::vector<const Object*> objects;
};

/// That a reference in `scope` is to something declared there or around it.
void check_reference(const Expr& expr, const Scope& scope, const Locals& locals);

/// That an item of `scope` uses declared names, assigns what it may assign in the way that it may,
/// and connects every port.
void check_meaning(const Scope& scope, const Item& item);

/// That no other item reads what a clocked block assigns blocking, else the order of events would
/// decide what it reads; and that all of it are arrays.
void check_in_place(const AlwaysItem& item, const Module& module);

}  // namespace weft::rtl::hdl
