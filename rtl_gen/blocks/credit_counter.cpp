// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/credit_counter.h"

#include "rtl_gen/blocks/module_once.h"

namespace weft::rtl {

using namespace hdl;

const Module& add_credit_counter(Design& design, const std::string& prefix) {
  return module_once(
      design, prefix + "_credit_counter",
      {.summary = "counts the free places behind an output.",
       .latency = "a credit taken or given in cycle t changes the outputs in cycle t + 1."},
      [](Module& m) {
        const Expr initial = m.parameter("INITIAL", 8, "credits after reset, and at most, >= 1");
        const Expr room_credits =
            m.parameter("ROOM", 1, "credits that room_o asks for, 1..INITIAL");
        const Expr width = clog2(initial + 1);
        const Expr clk = m.input("clk_i");
        const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low");
        m.port_group();
        const Expr take = m.input("take_i", 1, "a flit departs; low without a credit");
        const Expr give = m.input("give_i", 1, "a place is free again");
        m.port_group();
        const Expr credit = m.output("credit_o", 1, "at least one");
        const Expr room = m.output("room_o", 1, "at least ROOM");
        const Expr count_o = m.output("count_o", width);
        m.require(initial >= 1, "INITIAL_must_be_at_least_1");
        m.require(room_credits >= 1 && room_credits <= initial, "ROOM_must_be_in_1_to_INITIAL");
        const Expr all_credits = m.constant("ALL", width, initial);
        const Expr room_count = m.constant("ROOM_COUNT", width, room_credits);
        const Expr count = m.reg("count_q", width);
        const Expr has_credit = m.reg("credit_q", 1, "count_q >= 1");
        const Expr has_room = m.reg("room_q", 1, "count_q >= ROOM");
        m.comment(
            "take_i comes late in a cycle: both counts are ready before it, and nothing is "
            "compared "
            "after it. Counting up flips the bits above which all are ones, down those above which "
            "all are zeros.");
        const Function carries = m.function("carries", width, [&](FunctionBuilder& f) {
          const Expr x = f.input("x", width);
          const Expr k = f.integer("k");
          return Body{
              set(f.result(), 1),
              For(k, 1, width, {set(f.result().at(k), f.result().at(k - 1) & x.at(k - 1))})};
        });
        const Expr more = m.let("more", count ^ carries({count}));
        const Expr less = m.let("less", count ^ carries({~count}));
        const Expr same = m.let("same", take == give);
        m.always_ff(clk,
                    {If(!rst_n, {count <<= all_credits, has_credit <<= 1, has_room <<= 1})
                         .else_if(!same, {count <<= mux(take, less, more),
                                          has_credit <<= mux(take, count != 1, bin(1, 1)),
                                          has_room <<= mux(take, has_room & (count != room_count),
                                                           has_room | (more == room_count))})});
        m.assign(credit, has_credit);
        m.assign(room, has_room);
        m.assign(count_o, count);
      });
}

}  // namespace weft::rtl
