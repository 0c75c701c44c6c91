// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// `<prefix>_credit_counter`: how many places are free behind an (output, VC).
///
/// Parameters INITIAL >= 1: the count after reset, and never exceeded; ROOM 1..INITIAL. Ports:
/// clk_i, rst_ni, take_i, give_i (both at once leave the count as it is), credit_o: count >= 1,
/// room_o: count >= ROOM, count_o[clog2(INITIAL + 1)]. All outputs are functions of registers: a
/// change in cycle t shows in t + 1. take_i must be low without a credit, give_i with all INITIAL
/// of them.
const hdl::Module& add_credit_counter(hdl::Design& design, const std::string& prefix);

}  // namespace weft::rtl
