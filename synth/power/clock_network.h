// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "synth/power/netlist.h"

namespace weft::synth {

/// By net: whether the clock goes through it to a clock pin of a register, directly or through
/// gates (clock gates, also those that have a latch in them). What a clock does as data is not
/// meant. Throws UserError if there is no input of that name.
std::vector<bool> clock_network(const Netlist& netlist, std::string_view clock);

}  // namespace weft::synth
