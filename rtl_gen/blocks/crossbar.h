// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// `<prefix>_crossbar`: joins inputs to outputs, as AND-OR of one-hot selects. Combinational.
///
/// Parameters INPUTS, OUTPUTS, WIDTH >= 1. Ports: select_i[INPUTS*OUTPUTS], input i to output o at
/// [i*OUTPUTS + o] (the layout of an allocator's grants), at most one input an output;
/// data_i[INPUTS*WIDTH]; data_o[OUTPUTS*WIDTH], 0 at outputs without input.
const hdl::Module& add_crossbar(hdl::Design& design, const std::string& prefix);

}  // namespace weft::rtl
