// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/switch.h"

namespace weft::arch {

inline constexpr int most_destinations = 1 << 20;

/// With up_down routing: the destinations behind the ports that lead down.
[[nodiscard]] int destinations_below(const Switch& design);

/// Declares which combinations of a switch's parameters are legal.
void add_rules(Declaration<Switch>& declared);

}  // namespace weft::arch
