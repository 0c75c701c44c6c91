// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// `<prefix>_fifo`: a FIFO of registers whose head is visible without a read.
///
/// Parameters DEPTH >= 1, WIDTH >= 1. Ports: clk_i, rst_ni, write_i, data_i[WIDTH], full_o; read_i,
/// valid_o, data_o[WIDTH]. A word written in cycle t is at the head in t + 1 at the earliest.
/// write_i must be low while full_o, read_i while not valid_o; both outputs are functions of
/// registers. A full FIFO takes no word in the cycle in which one is read.
const hdl::Module& add_fifo(hdl::Design& design, const std::string& prefix);

/// `<prefix>_output_fifo`: the end of an output with ready/valid (docs/switch.md, "Time").
///
/// Parameters DEPTH >= 1 (D_out + 2), WIDTH >= 1. Ports: clk_i, rst_ni; depart_i: a flit departs to
/// this output in this cycle; room_o (a register): a flit may depart in this cycle; write_i and
/// data_i[WIDTH]: it arrives, D_out cycles later; valid_o, ready_i, data_o[WIDTH] as valid/ready.
/// Places are taken by depart_i and given back by valid_o & ready_i, each from the next cycle on.
const hdl::Module& add_output_fifo(hdl::Design& design, const std::string& prefix);

}  // namespace weft::rtl
