// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/link/modules.h"

namespace weft::rtl {

using namespace hdl;

Module& add_link_credit(Design& design, const arch::Link& link) {
  Module& m = design.add_module(
      link.name + "_credit",
      {.summary = "the credits of one virtual channel, at the sender.",
       .description = "The other end tells how many flits have left its buffer since reset, not "
                      "how many more: a report that is lost is made good by the next.",
       .latency = "take_i and update_i in cycle t show in t + 1."});
  const Expr depth = m.parameter("BUFFER_DEPTH", link.buffer_depth, "flits, >= 1");
  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low");
  m.port_group();
  const Expr take = m.input("take_i", 1, "a flit goes; low without a credit");
  const Expr update = m.input("update_i", 1, "the other end reports");
  const Expr freed = m.input("freed_i", clog2(depth) + 1, "flits that have left its buffer");
  const Expr credit = m.output("credit_o", 1, "there is a place in its buffer");

  const Expr width = m.localparam("CREDIT_WIDTH", clog2(depth) + 1);
  const Expr full = m.constant("FULL", width, depth);
  const Expr taken = m.reg("taken_q", width, "flits that went");
  const Expr seen = m.reg("seen_q", width, "of them, left the buffer as far as is known");
  const Expr used = m.let("used", taken - seen);
  const Expr more = m.let("more", freed - seen);
  m.assign(credit, used != full);
  m.comment("A report of more than is there is an old one that comes again.");
  m.always_ff(clk, {If(!rst_n, {taken <<= 0, seen <<= 0})
                        .else_({If(take, {taken <<= taken + 1}),
                                If(update & (more <= used), {seen <<= freed})})});
  m.finish();
  return m;
}

}  // namespace weft::rtl
