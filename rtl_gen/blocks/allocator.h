// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "arch/network/switch.h"
#include "rtl_gen/blocks/arbiter.h"
#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// The matching of inputs and outputs (docs/switch.md, "Allocation", step 4), one a cycle:
/// `<prefix>_input_first`, `_islip`, `_output_first` (matrix) or `_wavefront`.
///
/// Parameters PORTS >= 1 and, islip only, ITERATIONS >= 1. Ports: clk_i, rst_ni,
/// request_i[PORTS*PORTS], input i's request for output o at [i*PORTS + o], and grant_o in the same
/// layout: a matching within the requests, combinational. The pointers follow the grants.
/// `speculative` adds usable_i[PORTS]: output o can serve one of its requests; others keep their
/// state. round_robin with `separable` output_first is islip with ITERATIONS = 1.
const hdl::Module& add_allocator(hdl::Design& design, const std::string& prefix,
                                 arch::Allocator allocator, arch::Separable separable,
                                 bool speculative = false);

/// `<prefix>_output_arbiters`: each output serves one input, an input any number of outputs. Ports
/// and layout as add_allocator's. Parameter PORTS >= 1.
const hdl::Module& add_output_arbiters(hdl::Design& design, const std::string& prefix,
                                       Arbitration kind, bool speculative = false);

}  // namespace weft::rtl
