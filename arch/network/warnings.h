// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "arch/network/link.h"
#include "arch/network/switch.h"

namespace weft::arch {

/// What is legal but hardly meant, a line each: `parameter: what it is, what it costs`.
[[nodiscard]] std::vector<std::string> warnings(const Switch& design);
[[nodiscard]] std::vector<std::string> warnings(const Link& link);

}  // namespace weft::arch
