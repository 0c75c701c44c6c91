// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/link/modules.h"

namespace weft::rtl {

using namespace hdl;

Module& add_link_replay(Design& design, const arch::Link& link) {
  Module& m = design.add_module(
      link.name + "_replay",
      {.summary = "keeps flits until they are acknowledged, and sends them again if need be.",
       .description =
           "Flits are numbered as they come; the flit of number n lies at place n modulo "
           "REPLAY_DEPTH, a power of two. A replay is next_q going back to base_q.",
       .diagram = "        base_q           next_q            tail_q\n"
                  "   free   |  sent, not     |  to be sent     |   free\n"
                  "          |  acknowledged  |                 |",
       .latency = "a flit written in cycle t can be sent in t + 1; what an acknowledgement or a "
                  "request in cycle t changes shows in t + 1."});
  const Expr depth = m.parameter("REPLAY_DEPTH", link.replay_depth, "flits, a power of two, >= 2");
  const Expr width = m.parameter("WIDTH", link.flit_width, "bits of a flit and its channel");
  const Expr sequence_width =
      m.parameter("SEQUENCE_WIDTH", link.sequence_width, "bits, > clog2(REPLAY_DEPTH)");
  const Expr timeout = m.parameter("RETRY_TIMEOUT", link.retry_timeout,
                                   "frames without progress until everything is sent again, >= 2");

  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low; control only");
  m.port_group("From the user");
  const Expr write = m.input("write_i", 1, "a flit comes; low while not room_o");
  const Expr data_i = m.input("data_i", width);
  const Expr room = m.output("room_o");
  m.port_group("To the other end");
  const Expr compose = m.input("compose_i", 1, "a frame is composed");
  const Expr send = m.output("send_o", 1, "there is a flit to send");
  const Expr data_o = m.output("data_o", width, "that flit");
  const Expr sequence = m.output("sequence_o", sequence_width, "its number, or the next one's");
  const Expr retried_o = m.output("retried_o", 1, "the last request that was obeyed");
  m.port_group("From the other end");
  const Expr process = m.input("process_i", 1, "a frame has come");
  const Expr acknowledge = m.input("acknowledge_i", sequence_width, "the number it expects next");
  const Expr request = m.input("request_i", 1, "changes when it wants a replay");
  const Expr replay = m.output("replay_o", 1, "frames will be sent again");

  m.require(depth == (Expr(1) << clog2(depth)) && depth >= 2,
            "REPLAY_DEPTH_must_be_a_power_of_two_and_at_least_2");
  m.require(sequence_width > clog2(depth), "SEQUENCE_WIDTH_must_exceed_clog2_of_REPLAY_DEPTH");
  m.require(timeout >= 2, "RETRY_TIMEOUT_must_be_at_least_2");
  const Expr index_width = m.localparam("INDEX_WIDTH", clog2(depth));
  const Expr full = m.constant("FULL", sequence_width, depth);
  const Expr timer_width = m.localparam("TIMER_WIDTH", clog2(timeout));
  const Expr expiry = m.constant("EXPIRY", timer_width, timeout - 1);
  m.blank();
  const Expr flits = m.reg_array("flits_q", width, {depth}, Storage::memory);
  const Expr base = m.reg("base_q", sequence_width, "the oldest flit not acknowledged");
  const Expr next = m.reg("next_q", sequence_width, "the flit to be sent next");
  const Expr tail = m.reg("tail_q", sequence_width, "the flit that comes next");
  const Expr retried = m.reg("retried_q", 1);
  const Expr timer = m.reg("timer_q", timer_width, "frames without progress");
  m.blank();
  const Expr held = m.let("held", tail - base);
  const Expr sent = m.let("sent", next - base, "and not acknowledged");
  const Expr gained = m.let("gained", acknowledge - base, "flits newly acknowledged");
  m.comment("An acknowledgement of what was never taken is an old one that comes again.");
  const Expr accepted = m.let("accepted", process & (gained <= held));
  const Expr progress = m.let("progress", accepted & (gained != 0));
  const Expr oldest = m.let("oldest", mux(accepted, acknowledge, base));
  const Expr expired = m.let("expired", compose & (timer == expiry) & (next != base) & ~progress);
  m.assign(room, held != full);
  m.assign(send, next != tail);
  m.assign(data_o, flits.at(next(index_width - 1, 0)));
  m.assign(sequence, next);
  m.assign(retried_o, retried);
  m.assign(replay, (process & (request ^ retried)) | expired);
  m.blank();
  m.always_ff(clk, {If(!rst_n, {base <<= 0, tail <<= 0, retried <<= 0})
                        .else_({base <<= oldest, If(write, {tail <<= tail + 1}),
                                If(process, {retried <<= request})})});
  m.comment("Flits that are acknowledged before they are sent again need not be.");
  m.always_ff(clk, {If(!rst_n, {next <<= 0})
                        .else_if(replay, {next <<= oldest})
                        .else_if(accepted & (gained > sent), {next <<= acknowledge})
                        .else_if(compose & send, {next <<= next + 1})});
  m.always_ff(clk, {If(!rst_n | progress | replay | (next == base), {timer <<= 0})
                        .else_if(compose, {timer <<= timer + 1})});
  m.always_ff(clk, {If(write, {flits.at(tail(index_width - 1, 0)) <<= data_i})});
  m.finish();
  return m;
}

}  // namespace weft::rtl
