// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/link/modules.h"

namespace weft::rtl {

using namespace hdl;

Module& add_link_order(Design& design, const arch::Link& link) {
  Module& m = design.add_module(
      link.name + "_order",
      {.summary = "accepts each flit once and in order, and asks for what is missing.",
       .description =
           "Every frame says a number: of its flit, or of the next one to come. A number ahead of "
           "expected_q shows that frames were lost. Then request_q changes, once: the next request "
           "is possible when retried_i shows that the sender has obeyed this one.",
       .latency = "deliver_o belongs to the cycle of process_i; expected_o and request_o change in "
                  "the next one."});
  const Expr sequence_width = m.parameter("SEQUENCE_WIDTH", link.sequence_width);
  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low");
  m.port_group();
  const Expr process = m.input("process_i", 1, "a frame has come");
  const Expr data = m.input("data_i", 1, "it has a flit");
  const Expr sequence = m.input("sequence_i", sequence_width);
  const Expr retried = m.input("retried_i", 1, "the last request that the sender has obeyed");
  const Expr deliver = m.output("deliver_o", 1, "the flit is the one expected");
  m.port_group();
  const Expr expected_o = m.output("expected_o", sequence_width, "the number expected next");
  const Expr request_o = m.output("request_o");

  const Expr expected = m.reg("expected_q", sequence_width);
  const Expr request = m.reg("request_q", 1);
  const Expr ahead = m.let("ahead", sequence - expected, "modulo 2^SEQUENCE_WIDTH");
  m.comment(
      "A flit with a number in the half behind expected_q was received before. An idle frame's "
      "number is never behind.");
  const Expr repeated = m.let("repeated", data & ahead.at(sequence_width - 1));
  const Expr gap = m.let("gap", process & (ahead != 0) & ~repeated);
  m.assign(deliver, process & data & (ahead == 0));
  m.always_ff(clk, {If(!rst_n, {expected <<= 0, request <<= 0})
                        .else_({If(deliver, {expected <<= expected + 1}),
                                If(gap & ~(retried ^ request), {request <<= ~request})})});
  m.assign(expected_o, expected);
  m.assign(request_o, request);
  m.finish();
  return m;
}

}  // namespace weft::rtl
