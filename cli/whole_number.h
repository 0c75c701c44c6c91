// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace weft::cli {

/// Accepts 0..2^64-1 in decimal digits. The parser alone takes -1 and what is beyond the largest
/// number for the largest number.
[[nodiscard]] CLI::Validator whole_number();

}  // namespace weft::cli
