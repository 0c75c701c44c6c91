// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rtl_gen/hdl/hdl.h"
#include "rtl_gen/switch/shape.h"

namespace weft::rtl {

/// `name_collective`: the control of multicast and reduction (docs/switch.md, "Collectives"). What
/// it takes in a cycle departs in the next, in which busy_o and to_o take no part in step 1 of the
/// allocation.
///
/// Parameters PORTS and, for several VCs, VIRTUAL_CHANNELS (V). The queues are those that packets
/// for several outputs wait in: VC v of input i at i*V + v. Ports:
///
///   clk_i, rst_ni
///   present_i[PORTS*V]      the queue has a flit
///   head_i[PORTS*V]         it is the first of its packet
///   tail_i[PORTS*V]         it is the last of its packet
///   op_i[PORTS*V*3]         its op, if it is a head
///   mask_i[PORTS*V*PORTS]   the outputs or members that its header names, if it is a head
///   open_i[PORTS*V]         VC v of output o, at o*V + v, takes a head: it has a credit and no
///                           packet holds it
///   credit_i[PORTS*V]       it has a credit
///   take_o[PORTS*V]         the flit at the head of the queue is taken
///   blocked_o[PORTS*V]      heads of other packets must not request VC v of output o
///   claim_o[PORTS]          the outputs of a flit that is taken to be sent
///   channel_o[V]            the VC in which it goes, one-hot; only for several VCs
///   last_o                  it is the last of its packet
///
/// Registers, of what was taken in the cycle before:
///
///   busy_o[PORTS]           inputs that a flit leaves
///   to_o[PORTS]             outputs that a flit goes to
///   from_o[SOURCES]         where it comes from, one-hot: PORTS inputs (multicast), then the
///                           result FIFO (reduction); 0 when none is sent
///   member_o, reference_o, op_o     reduction: as add_result() takes them
const hdl::Module& add_collective(hdl::Design& design, const Shape& shape);

}  // namespace weft::rtl
