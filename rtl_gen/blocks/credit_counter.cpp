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
        const Expr count = m.reg("count_q", width);
        const Expr up = m.let("up", give & ~take);
        const Expr down = m.let("down", take & ~give);
        m.always_ff(
            clk, {If(!rst_n, {count <<= all_credits})
                      .else_if(up | down, {count <<= count + (rep(width, down) | lit(width, 1))})});
        m.comment("Registers that say whether the count reaches a level: many wait for them.");
        const auto reached = [&](const std::string& name, const std::string& upper,
                                 const Expr& level, const Expr& output) {
          const Expr at = m.constant(upper + "_LEVEL", width, level);
          const Expr below = m.constant(upper + "_BELOW", width, level - 1);
          const Expr q = m.reg(name + "_q", 1);
          m.always_ff(clk, {If(!rst_n, {q <<= 1})
                                .else_if(up & (count == below), {q <<= 1})
                                .else_if(down & (count == at), {q <<= 0})});
          m.assign(output, q);
        };
        reached("credit", "CREDIT", 1, credit);
        reached("room", "ROOM", room_credits, room);
        m.assign(count_o, count);
      });
}

}  // namespace weft::rtl
