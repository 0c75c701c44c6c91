// SPDX-License-Identifier: Apache-2.0
#include "arch/network/link_frame.h"
#include "rtl_gen/link/modules.h"

namespace weft::rtl {

using namespace hdl;

Module& add_link_deframer(Design& design, const arch::Link& link, const Module& crc) {
  Module& m = design.add_module(
      link.name + "_deframer",
      {.summary = "collects phits to frames and checks their CRC.",
       .description =
           "Until it is aligned, the last PHITS phits of every cycle are tried; those that pass "
           "the "
           "CRC show where frames begin. From then on phits are counted: nothing in a damaged "
           "stream can look like a delimiter. After REALIGN_FRAMES bad frames in a row it looks "
           "for their beginning again. The frame that shows the alignment is not given out: one of "
           "2^CRC_WIDTH wrong candidates passes too.",
       .diagram = "  phit_i --> window_q[lane] --> CRC ok? --> valid_o, fields_o\n"
                  "                  |                ^\n"
                  "             count_q == PHITS, aligned_q",
       .latency = "a frame whose last phit is on phit_i in cycle u is on fields_o in u + 2."});
  const arch::FrameLayout frame(link);
  const Expr fields_width =
      m.parameter("FIELDS_WIDTH", frame.fields, "bits of the fields behind the CRC");
  const Expr lanes = m.parameter("LANES", link.lanes, "lanes of the wire, >= 1");
  const Expr lane_width = m.parameter("LANE_WIDTH", link.lane_width, "bits of a lane, >= 1");
  const Expr phits = m.parameter("PHITS", frame.phits, "cycles of a frame, >= 1");
  const Expr realign_frames = m.parameter("REALIGN_FRAMES", link.realign_frames,
                                          "bad frames in a row that end the alignment, >= 2");

  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low; control only");
  m.port_group();
  const Expr phit = m.input("phit_i", lanes * lane_width);
  const Expr valid_o = m.output("valid_o", 1, "fields_o is a frame that passed its CRC");
  const Expr error_o = m.output("error_o", 1, "a frame did not");
  const Expr fields_o = m.output("fields_o", fields_width);

  const Expr crc_width = m.localparam("CRC_WIDTH", link.crc_width);
  const Expr lane_bits = m.localparam("LANE_BITS", phits * lane_width, "of a frame on one lane");
  const Expr frame_width = m.localparam("FRAME_WIDTH", lanes * lane_bits);
  const Expr body_width = m.localparam("BODY_WIDTH", frame_width - crc_width);
  const Expr count_width = m.localparam("COUNT_WIDTH", clog2(phits + 1));
  const Expr whole = m.constant("WHOLE", count_width, phits);
  const Expr bad_width = m.localparam("BAD_WIDTH", clog2(realign_frames));
  const Expr last_bad = m.constant("LAST_BAD", bad_width, realign_frames - 1);
  m.blank();
  const Expr window = m.reg("window_q", frame_width, "lane l at [l*LANE_BITS +: LANE_BITS]");
  const Expr count = m.reg("count_q", count_width, "phits since a frame ended, at most PHITS");
  const Expr aligned = m.reg("aligned_q", 1, "it is known where frames begin");
  const Expr bad = m.reg("bad_q", bad_width, "bad frames in a row");
  const Expr valid = m.reg("valid_q", 1);
  const Expr error = m.reg("error_q", 1);
  const Expr fields = m.reg("fields_q", fields_width);
  m.generate_for("l", 0, lanes, "lane", [&](Scope& s, const Expr& l) {
    const Expr own = window.part(l * lane_bits, lane_bits);
    const Expr youngest = phit.part(l * lane_width, lane_width);
    s.generate_if(phits == 1, "single", [&](Scope& t) {
       t.always_ff(clk, {own <<= youngest});
     }).otherwise("shift", [&](Scope& t) {
      const Expr kept = window.part(l * lane_bits + lane_width, lane_bits - lane_width);
      t.always_ff(clk, {own <<= cat({youngest, kept})});
    });
  });
  m.blank();
  const Expr body = m.wire("body", body_width);
  m.assign(body, window(frame_width - 1, crc_width));
  const Expr sum = m.wire("crc", crc_width);
  m.instance("u_crc", crc, {{"DATA_WIDTH", body_width}}, {{"data_i", body}, {"crc_o", sum}});
  const Expr complete = m.let("complete", count == whole, "the window may be a frame");
  const Expr right = m.let("right", sum == window(crc_width - 1, 0));
  const Expr taken = m.let("taken", complete & (aligned | right), "a frame ends here");
  m.always_ff(clk, {If(!rst_n, {count <<= 0})
                        .else_if(taken, {count <<= 1})
                        .else_if(!complete, {count <<= count + 1})});
  m.always_ff(clk, {If(!rst_n, {aligned <<= 0, bad <<= 0})
                        .else_if(complete & right, {aligned <<= 1, bad <<= 0})
                        .else_if(complete & aligned & (bad == last_bad), {aligned <<= 0})
                        .else_if(complete & aligned, {bad <<= bad + 1})});
  m.always_ff(
      clk,
      {If(!rst_n, {valid <<= 0, error <<= 0})
           .else_({valid <<= complete & aligned & right, error <<= complete & aligned & ~right})});
  m.always_ff(clk, {If(complete, {fields <<= body(fields_width - 1, 0)})});
  m.assign(valid_o, valid);
  m.assign(error_o, error);
  m.assign(fields_o, fields);
  m.finish();
  return m;
}

}  // namespace weft::rtl
