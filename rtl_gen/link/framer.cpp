// SPDX-License-Identifier: Apache-2.0
#include "arch/network/link_frame.h"
#include "rtl_gen/link/modules.h"

namespace weft::rtl {

using namespace hdl;

Module& add_link_framer(Design& design, const arch::Link& link, const Module& crc) {
  Module& m = design.add_module(
      link.name + "_framer",
      {.summary = "takes the fields of a frame, adds the CRC and sends the frame over the lanes.",
       .diagram = "  fields_i --> fields_q --> {padding, fields, CRC} --> line_q[lane] --> phit_o",
       .latency = "compose_o is high in every PHITS-th cycle, the first after reset included; the "
                  "fields of that cycle c are a frame whose phit j is on phit_o in c + 2 + j."});
  const arch::FrameLayout frame(link);
  const Expr fields_width =
      m.parameter("FIELDS_WIDTH", frame.fields, "bits of the fields behind the CRC");
  const Expr lanes = m.parameter("LANES", link.lanes, "lanes of the wire, >= 1");
  const Expr lane_width = m.parameter("LANE_WIDTH", link.lane_width, "bits of a lane, >= 1");
  const Expr phits = m.parameter("PHITS", frame.phits, "cycles of a frame, >= 1");

  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low; control only");
  m.port_group();
  const Expr compose = m.output("compose_o", 1, "a frame begins with the fields of this cycle");
  const Expr fields_i = m.input("fields_i", fields_width);
  const Expr phit =
      m.output("phit_o", lanes * lane_width, "lane l at [l*LANE_WIDTH +: LANE_WIDTH]");

  const Expr crc_width = m.localparam("CRC_WIDTH", link.crc_width);
  const Expr lane_bits = m.localparam("LANE_BITS", phits * lane_width, "of a frame on one lane");
  const Expr frame_width = m.localparam("FRAME_WIDTH", lanes * lane_bits);
  const Expr body_width = m.localparam("BODY_WIDTH", frame_width - crc_width);
  m.blank();
  const Expr load = m.reg("load_q", 1, "fields_q begins a frame in this cycle");
  const Expr fields = m.reg("fields_q", fields_width);
  const Expr line = m.reg("line_q", frame_width, "lane l at [l*LANE_BITS +: LANE_BITS]");
  m.generate_if(phits == 1, "always_compose", [&](Scope& s) {
     s.assign(compose, bin(1, 1));
   }).otherwise("every_phits", [&](Scope& s) {
    const Expr slot_width = s.localparam("SLOT_WIDTH", clog2(phits));
    const Expr last = s.constant("LAST", slot_width, phits - 1);
    const Expr slot = s.reg("slot_q", slot_width, "cycles since a frame was composed");
    s.assign(compose, slot == 0);
    s.always_ff(clk, {If(!rst_n | (slot == last), {slot <<= 0}).else_({slot <<= slot + 1})});
  });
  m.always_ff(clk, {If(!rst_n, {load <<= 0}).else_({load <<= compose})});
  m.always_ff(clk, {If(compose, {fields <<= fields_i})});
  m.blank();
  const Expr body = m.wire("body", body_width, "zeros behind the fields");
  m.assign(body, zext(fields, body_width));
  const Expr sum = m.wire("crc", crc_width);
  m.instance("u_crc", crc, {{"DATA_WIDTH", body_width}}, {{"data_i", body}, {"crc_o", sum}});
  const Expr sent = m.wire("frame", frame_width);
  m.assign(sent, cat({body, sum}));
  m.generate_for("l", 0, lanes, "lane", [&](Scope& s, const Expr& l) {
    const Expr own = line.part(l * lane_bits, lane_bits);
    s.always_ff(clk, {If(load, {own <<= sent.part(l * lane_bits, lane_bits)})
                          .else_({own <<= own >> lane_width})});
    s.assign(phit.part(l * lane_width, lane_width), line.part(l * lane_bits, lane_width));
  });
  m.finish();
  return m;
}

}  // namespace weft::rtl
