// SPDX-License-Identifier: Apache-2.0
#include "arch/network/header.h"
#include "rtl_gen/switch/input_builder.h"

namespace weft::rtl {

using namespace hdl;

void InputBuilder::declare_group_ports() {
  const Expr& v = sizes_.channels;
  m_.port_group("The queues that packets for several outputs wait in, VC by VC.");
  group_present_o_ = m_.output("group_present_o", v, "has a flit");
  group_head_o_ = m_.output("group_head_o", v, "it is the first of its packet");
  group_tail_o_ = m_.output("group_tail_o", v, "it is the last of its packet");
  group_op_o_ =
      m_.output("group_op_o", v * arch::HeaderLayout(shape_.device).op_width, "of a head: its op");
  group_mask_o_ = m_.output("group_mask_o", v * sizes_.ports, "of a head: the ports that it names");
  group_take_ = m_.input("group_take_i", v, "it departs in the next cycle: one-hot or 0");
}

/// What is taken departs a cycle later.
void InputBuilder::take_groups() {
  group_depart_ = m_.reg("group_depart_q", sizes_.channels, "what was taken departs");
  m_.always_ff(clk_, {If(!rst_n_, {group_depart_ <<= 0}).else_({group_depart_ <<= group_take_})});
}

/// {op, mask, tail} of a flit that enters. Where all packets share their queues, the mask of a
/// unicast flit is its output, and op and mask say of all flits whether they are unicast.
Expr InputBuilder::group_flags(const Arrival& arrival) {
  const arch::HeaderLayout layout(shape_.device);
  const Expr op = arrival.flit.part(layout.op_offset, layout.op_width);
  const Expr mask = arrival.flit.part(layout.route_offset, sizes_.ports);
  if (shape_.collective_queues) return cat({op, mask, arrival.tail});
  const Expr head =
      m_.let("group_head", arrival.head & ~any(arrival.output), "of a packet for several outputs");
  return cat({op & rep(layout.op_width, head), arrival.output | (mask & rep(sizes_.ports, head)),
              arrival.tail});
}

Expr InputBuilder::group_op(const Expr& v) const {
  const Expr width = arch::HeaderLayout(shape_.device).op_width;
  return group_op_o_.part(v * width, width);
}

/// Tells the collective unit the flags of the queues' heads.
void InputBuilder::show_groups(const Expr& flags, const Expr& width) {
  for_each_channel(m_, "group_of", [&](Scope& s, const Expr& v) {
    const Expr first = v * width;
    s.assign(bit_of(group_tail_o_, v), flags.at(first));
    s.assign(group_mask_o_.part(v * sizes_.ports, sizes_.ports),
             flags.part(first + 1, sizes_.ports));
    s.assign(group_op(v), flags.part(first + sizes_.ports + 1, width - sizes_.ports - 1));
  });
}

/// Packets for several outputs, into queues of their own.
void InputBuilder::store_groups(const Arrival& arrival) {
  const Expr channels = sizes_.channels;
  const Expr group = m_.let("group", arrival.valid & ~any(arrival.output));
  const Expr write =
      m_.let("group_write", several() ? rep(channels, group) & arrival.channel : group);
  const Expr flags_in = m_.let("group_flags_in", group_flags(arrival));
  const Expr width = width_of(flags_in);
  const Expr flags = m_.wire("group_flags", channels * width);
  const Expr full = m_.wire("unused_group_full", channels);
  const Expr flit = m_.wire("group_flit", flit_width_);
  memory("u_group_queues", channels,
         {write, arrival.flit, flags_in, full, group_take_, group_depart_, flit, group_present_o_,
          flags});
  show_groups(flags, width);
  Expr from_group = any(group_depart_);
  if (shape_.late_reading) {
    const Expr last = m_.reg("from_group_q", 1, "in the last cycle");
    m_.always_ff(clk_, {last <<= from_group});
    from_group = last;
  }
  flit_ = m_.let("any_flit", mux(from_group, flit, flit_));
}

}  // namespace weft::rtl
