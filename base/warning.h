// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weft::base {

/// Tells the user on the standard error what goes on in spite of a fault: "warning: `text`". The
/// same text is told once a process.
void warn_once(const std::string& text);

}  // namespace weft::base
