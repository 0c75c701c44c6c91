// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/fifo.h"
#include "rtl_gen/link/modules.h"

namespace weft::rtl {

using namespace hdl;

Module& add_link_buffer(Design& design, const arch::Link& link) {
  const Module& fifo = add_fifo(design, link.name);
  Module& m = design.add_module(
      link.name + "_buffer",
      {.summary = "the receive buffer of one virtual channel, and the count of what has left it.",
       .latency = "a flit written in cycle t is on flit_o in t + 1 if the buffer was empty; a flit "
                  "that leaves in t shows in freed_o in t + 1."});
  const Expr flit_width = m.parameter("FLIT_WIDTH", link.flit_width, "bits, >= 1");
  const Expr depth = m.parameter("BUFFER_DEPTH", link.buffer_depth, "flits, >= 1");
  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low; control only");
  m.port_group();
  const Expr write = m.input("write_i", 1, "a flit has come; the sender's credit holds its place");
  const Expr flit_i = m.input("flit_i", flit_width);
  m.port_group();
  const Expr valid = m.output("valid_o", 1, "holds, with flit_o stable, until ready_i");
  const Expr flit_o = m.output("flit_o", flit_width);
  const Expr ready = m.input("ready_i");
  m.port_group();
  const Expr freed_o = m.output("freed_o", clog2(depth) + 1, "flits that left, modulo 2^width");

  const Expr width = m.localparam("CREDIT_WIDTH", clog2(depth) + 1);
  const Expr freed = m.reg("freed_q", width);
  const Expr leaves = m.let("leaves", valid & ready);
  const Expr full = m.wire("unused_full", 1, "credits see to it");
  m.instance("u_fifo", fifo, {{"DEPTH", depth}, {"WIDTH", flit_width}},
             {{"clk_i", clk},
              {"rst_ni", rst_n},
              {"write_i", write},
              {"data_i", flit_i},
              {"full_o", full},
              {"read_i", leaves},
              {"valid_o", valid},
              {"data_o", flit_o}});
  m.always_ff(clk, {If(!rst_n, {freed <<= 0}).else_if(leaves, {freed <<= freed + 1})});
  m.assign(freed_o, freed);
  m.finish();
  return m;
}

}  // namespace weft::rtl
