// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

namespace weft::cli {

/// Accepts least..most in decimal digits. The parser alone takes -1 and what is beyond the largest
/// number for the largest number.
[[nodiscard]] CLI::Validator whole_number(
    std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

}  // namespace weft::cli
