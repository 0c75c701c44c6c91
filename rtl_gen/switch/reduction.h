// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rtl_gen/hdl/hdl.h"
#include "rtl_gen/switch/shape.h"

// The arithmetic of in-network reduction (docs/switch.md, "Collectives"). op_i is the low two bits
// of a header's op: 0 sum, 1 minimum, 2 maximum.

namespace weft::rtl {

/// Places of the result FIFO for results that are not on the way through the tree.
inline constexpr int spare_results = 4;

/// Declares localparam STAGES: the registers on the way of a result to the FIFO, L of the contract.
hdl::Expr result_stages(hdl::Module& m, const hdl::Expr& ports);

/// `name_lane_operator`: combines one lane of two flits; the only module that knows what a lane
/// means. Parameter WIDTH: bits of a lane. Ports: op_i[2]; a_valid_i, a_i[WIDTH]; b_valid_i,
/// b_i[WIDTH]; y_o[WIDTH]. An operand that is not valid does not count; without any, y_o means
/// nothing.
const hdl::Module& add_lane_operator(hdl::Design& design, const Shape& shape);

/// `name_combine`: combines flits lane by lane, in a tree of lane operators with a register before
/// it and after each level: flit_o follows after 1 + clog2(PORTS) cycles.
/// Parameters PORTS, FLIT_WIDTH. Ports: clk_i; op_i[2]; valid_i[PORTS]: whose flits count;
/// flit_i[PORTS*FLIT_WIDTH]; flit_o[FLIT_WIDTH].
const hdl::Module& add_combine(hdl::Design& design, const Shape& shape);

/// `name_result`: the values in the result FIFO. The flits of members that depart in cycle s are at
/// leaving_i in s + D_out, as everywhere at the crossbar; so the whole module runs D_out cycles
/// behind its control.
/// Parameters PORTS, FLIT_WIDTH, WIDTH (of what goes through the crossbar). Ports: clk_i, rst_ni;
/// in cycle s: member_i[PORTS], whose flits depart into the FIFO, reference_i[PORTS], one-hot, the
/// one whose head stands for all, op_i[2]; send_i: a result departs; in cycle s + D_out:
/// leaving_i[PORTS*WIDTH] from the inputs, leaving_o[WIDTH].
const hdl::Module& add_result(hdl::Design& design, const Shape& shape);

}  // namespace weft::rtl
