// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rtl_gen/hdl/hdl.h"
#include "rtl_gen/switch/shape.h"

// Where the flits of one input wait when any number of them may leave in a cycle, one to each
// output. Both modules have the ports
//
//   clk_i, rst_ni
//   write_i[PORTS*V]       one-hot or 0: where the flit goes, VC v of output o at o*V + v
//   data_i[WIDTH], tail_i  the flit, and that it is the last of its packet
//   read_i[PORTS*V]        whose first flit leaves; at most one VC of each output
//   data_o[PORTS*WIDTH]    what leaves to output o, in the same cycle; anything if nothing does
//   present_o[PORTS*V]     there is a flit
//   tail_o[PORTS*V]        the first one is the last of its packet
//
// and the parameters PORTS, VIRTUAL_CHANNELS (V, if several), DEPTH, WIDTH. A flit written in cycle
// t can leave from t + 1 on. What is full must not be written, what is empty not be read.

namespace weft::rtl {

/// `name_output_queues`: a queue of DEPTH flits for each (output, VC), each output with a memory of
/// its own. Also full_o[PORTS*V].
const hdl::Module& add_output_queues(hdl::Design& design, const Shape& shape);

/// `name_pool`: for each VC a pool of DEPTH places, whose flits stand in a list for each output.
/// Also free_o[V], that the pool has a free place, and spare_o[V], that it has two.
const hdl::Module& add_pool(hdl::Design& design, const Shape& shape);

}  // namespace weft::rtl
