// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rtl_gen/hdl/module.h"

namespace weft::rtl::hdl {

/// The generate blocks that an Op::iteration expression names, from the outermost loop to the block
/// in which the signal is declared. Throws HdlError if it has more indices than there are loops
/// around the signal.
std::vector<const Scope*> iteration_path(const Expr& iteration);

}  // namespace weft::rtl::hdl
