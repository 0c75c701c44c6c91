// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/switch.h"
#include "rtl_gen/hdl/hdl.h"

// Which output a head flit takes (docs/switch.md, "Routing"): combinational, one instance an input.
// Ports of the module, beside the parameters PORTS and FLIT_WIDTH:
//
//   flit_i       the head flit; flits without a header give an output that means nothing
//   output_o     one-hot, PORTS bits; no bit for a packet of the collective unit (op not 0)
//   head_i, flit_o    where routing rewrites headers: the flit as it leaves the switch
//   x_i, y_i     in meshes: where the switch is
//   from_west_i  odd_even: the flit enters by the west port
//   prefer_i     adaptive routing: which of two outputs has the more credits in the head's VC;
//                [0] east >= north, [1] east >= south, and in odd_even [2] west >= north,
//                [3] west >= south

namespace weft::rtl {

/// Whether a head leaves with another header than it came with: `head_i` and `flit_o` exist.
[[nodiscard]] bool rewrites_header(const arch::Switch& design);

/// Width of `prefer_i`; 0: routing is not adaptive, there is no such port.
[[nodiscard]] int preferences(const arch::Switch& design);

/// Width of `x_i` and of `y_i`: at least 1, also where the mesh has one column or row.
[[nodiscard]] int x_width(const arch::Switch& design);
[[nodiscard]] int y_width(const arch::Switch& design);

/// `name_route`.
const hdl::Module& add_route(hdl::Design& design, const arch::Switch& device);

}  // namespace weft::rtl
