// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace weft::rtl::hdl {

/// A generator built Verilog that is wrong: a fault in weft, not in the user's input. `what()`
/// names the module, the item and what was found against what is legal.
class HdlError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace weft::rtl::hdl
