// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/weighted.h"

#include "rtl_gen/blocks/arbiter.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/module_once.h"

namespace weft::rtl {

using namespace hdl;

const Module& add_weighted_arbiter(Design& design, const std::string& prefix) {
  const Module& pick = add_pick(design, prefix);
  const Module& select = add_crossbar(design, prefix);
  return module_once(
      design, prefix + "_weighted",
      {.summary = "weighted round robin.",
       .description =
           "Each requester has as many turns in a row as its weight says. The first requester from "
           "the one whose turn it is gets the grant: nobody waits for a turn that is not used.",
       .latency = "the grant is combinational; the turn moves at the end of a cycle with a bit of "
                  "served_i. It is requester 0's after reset."},
      [&](Module& m) {
        const Expr n = m.parameter("N", 4, "requesters, >= 1");
        const Expr width = m.parameter("WEIGHT_WIDTH", 4, "bits of a weight, >= 1");
        const Expr clk = m.input("clk_i");
        const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low");
        m.port_group();
        const Expr weight = m.input("weight_i", n * width, "weight k at k, >= 1; constant");
        const Expr request = m.input("request_i", n);
        const Expr served = m.input("served_i", n, "one-hot or 0, granted or not");
        const Expr grant = m.output("grant_o", n, "one-hot; 0 without a request");
        m.require(n >= 1, "N_must_be_at_least_1");
        m.require(width >= 1, "WEIGHT_WIDTH_must_be_at_least_1");

        const Expr turn = m.reg("turn_q", n, "one-hot: whose turn it is");
        const Expr left = m.reg("left_q", width, "times that are left to it");
        const Expr behind =
            m.let("behind", ~(turn - 1), "the one whose turn it is and those after");
        const Expr after = m.wire("unused_after", n);
        m.instance("u_pick", pick, {{"N", n}},
                   {{"request_i", request},
                    {"behind_i", behind},
                    {"grant_o", grant},
                    {"behind_o", after}});
        const auto weight_of = [&](const std::string& name, const Expr& which) {
          const Expr result = m.wire(name, width);
          m.instance("u_" + name, select, {{"INPUTS", n}, {"OUTPUTS", 1}, {"WIDTH", width}},
                     {{"select_i", which}, {"data_i", weight}, {"data_o", result}});
          return result;
        };
        const Expr next = m.let("next", (served << 1) | (served >> (n - 1)), "behind the served");
        const Expr of_served = weight_of("weight_of_served", served);
        const Expr of_next = weight_of("weight_of_next", next);
        const Expr remaining = m.let("remaining", mux(any(turn & served), left, of_served));
        m.always_ff(clk, {If(!rst_n, {turn <<= 1, left <<= weight(width - 1, 0)})
                              .else_if(any(served),
                                       {If(remaining == 1, {turn <<= next, left <<= of_next})
                                            .else_({turn <<= served, left <<= remaining - 1})})});
      });
}

}  // namespace weft::rtl
