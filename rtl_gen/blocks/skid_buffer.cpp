// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/skid_buffer.h"

#include "rtl_gen/blocks/module_once.h"

namespace weft::rtl {

using namespace hdl;

const Module& add_skid_buffer(Design& design, const std::string& prefix) {
  return module_once(
      design, prefix + "_skid_buffer",
      {.summary = "registered valid/ready stage that never loses a word.",
       .description =
           "Breaks the ready path of a stream as well as its data path. One word may arrive in the "
           "cycle in which the consumer stalls; it waits in the skid register.",
       .diagram = "             +--------+      +--------+\n"
                  "  data_i -+->|  skid  |--1-->|  data  |--> data_o\n"
                  "          |  +--------+      |        |\n"
                  "          +---------------0->|        |\n"
                  "                             +--------+",
       .latency = "a word accepted in cycle t is offered in cycle t + 1; with ready_i high one "
                  "word moves a cycle; capacity is two words."},
      [](Module& m) {
        const Expr width = m.parameter("WIDTH", 8, "bits of a word, >= 1");
        const Expr clk = m.input("clk_i");
        const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low; control only");
        m.port_group();
        const Expr valid_i = m.input("valid_i", 1, "must not wait for ready_o");
        const Expr ready_o = m.output("ready_o");
        const Expr data_i = m.input("data_i", width);
        m.port_group();
        const Expr valid_o = m.output("valid_o", 1, "holds, with data_o stable, until ready_i");
        const Expr ready_i = m.input("ready_i");
        const Expr data_o = m.output("data_o", width);
        m.require(width >= 1, "WIDTH_must_be_at_least_1");
        const Expr data_valid = m.reg("data_valid_q", 1);
        const Expr ready = m.reg("ready_q", 1, "the skid register is empty");
        const Expr data = m.reg("data_q", width);
        const Expr skid = m.reg("skid_q", width);
        const Expr advance =
            m.let("advance", ready_i | ~data_valid, "the data register takes the next word");
        m.assign(ready_o, ready);
        m.assign(valid_o, data_valid);
        m.assign(data_o, data);
        m.always_ff(clk, {If(!rst_n, {data_valid <<= 0, ready <<= 1})
                              .else_({If(advance, {data_valid <<= valid_i | ~ready}),
                                      (ready <<= advance | (ready & ~valid_i))
                                          .note("whatever waited has moved on")})});
        m.comment("Data needs no reset: it is read only under its valid bit.");
        m.always_ff(
            clk, {If(advance, {data <<= mux(ready, data_i, skid)}), If(ready, {skid <<= data_i})});
      });
}

}  // namespace weft::rtl
