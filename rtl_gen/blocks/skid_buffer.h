// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// `<prefix>_skid_buffer`: a valid/ready stage of two words that registers both directions.
///
/// Parameter WIDTH >= 1. Ports: clk_i, rst_ni, valid_i, ready_o, data_i[WIDTH], valid_o, ready_i,
/// data_o[WIDTH]. A word accepted in cycle t is offered in t + 1; ready_o, valid_o and data_o are
/// registers. One word a cycle.
const hdl::Module& add_skid_buffer(hdl::Design& design, const std::string& prefix);

}  // namespace weft::rtl
