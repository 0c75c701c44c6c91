// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/modules.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc drain_doc(bool doubled) {
  ModuleDoc doc;
  doc.summary = "ends the tiles of an output-stationary array and takes their sums out.";
  doc.description =
      "Sums start from what the PEs hold: after reset the array runs once as if a tile ended in "
      "the first cycle, "
      "whose results nobody sees, and so clears them.";
  doc.diagram =
      "  last step --> delay line (STAGES + h(ROWS - 1) + 2) --> drain_o[r] for r + 1 cycles\n"
      "  tag       --> delay line --------------------------> held while its tile drains";
  doc.latency = std::string(
                    "in cycles with advance_i high: for a last step in cycle e, row ROWS - 1 - k "
                    "is at the grid's first column in "
                    "cycle e + STAGES + h(ROWS - 1) + 2 + k, where valid_o is high. ") +
                (doubled ? "The next last step comes in cycle e + ROWS at the earliest."
                         : "The next step comes in cycle e + ROWS + 1 at the earliest.");
  return doc;
}

}  // namespace

Module& add_drain(Design& design, const arch::TensorArray& array) {
  const bool doubled = array.stationary_buffers == 2;
  Module& m = design.add_module(array.name + "_drain", drain_doc(doubled));
  const Expr rows = m.parameter("ROWS", array.rows, "PE rows, >= 1");
  const Expr pe_registers =
      m.parameter("PE_REGISTERS", array.pe_registers, "PEs between forward registers");
  const Expr tag_width = m.parameter("TAG_WIDTH", array.tag_width, "bits of a tag");

  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low");
  const Expr advance = m.input("advance_i", 1, "the array moves on");
  m.port_group();
  const Expr offered = m.input("offered_i", 1, "both operands of a step are there");
  const Expr last_i = m.input("last_i", 1, "it is the last step of its tile");
  const Expr tag_i = m.input("tag_i", tag_width);
  const Expr allowed = m.output("allowed_o", 1, "the step may be taken");
  const bool gated = array.clock_gating == arch::ClockGating::per_row;
  if (gated) m.port_group("Known at the beginning of a cycle, for the clocks.");
  const Expr open =
      gated ? m.output("open_o", 1, "a step may be taken, or sums are cleared") : Expr(0);
  const Expr clearing_o = gated ? m.output("clearing_o", 1, "sums are cleared") : Expr(0);
  m.port_group();
  const Expr last_o = doubled ? m.output("last_o", rows, "row r ends its tile") : Expr(0);
  const Expr drain_o = m.output("drain_o", rows, "row r shifts down");
  m.port_group("Beside the last row of the grid's first column.");
  const Expr valid_o = m.output("valid_o");
  const Expr last_row_o = m.output("last_row_o", 1, "row 0, the last one of a tile");
  const Expr tag_o = m.output("tag_o", tag_width);

  const Expr stages = m.localparam("STAGES", array.multiplier_stages + array.adder_stages,
                                   "pipeline registers in a PE before its sum");
  const Expr delay = m.localparam("DELAY", (rows - 1) / pe_registers + stages + 2,
                                  "from a last step to its first result");
  const Expr wait_width = m.localparam("WAIT_WIDTH", clog2(rows + 1));
  const Expr wait_start = m.constant("WAIT", wait_width, doubled ? rows - 1 : rows,
                                     "cycles to the next tile's end or start");
  m.blank();
  const Expr clearing = m.reg("clearing_q", 1, "the first cycle after reset");
  const Expr wait = m.reg("wait_q", wait_width);
  const Expr end = m.reg("end_q", delay, "last steps on their way, [k]: k + 1 cycles ago");
  const Expr shown = m.reg("shown_q", delay, "those whose results count");
  const Expr tags = m.reg("tags_q", delay * tag_width);
  const Expr drain = m.reg("drain_q", rows, "rows that go on shifting");
  const Expr visible = m.reg("visible_q", 1, "the draining tile's results count");
  const Expr held_tag = m.reg("tag_q", tag_width, "the draining tile's tag");
  m.blank();
  m.assign(allowed, doubled ? ~clearing & (~last_i | (wait == 0)) : ~clearing & (wait == 0));
  if (gated) {
    m.assign(open, doubled ? Expr(bin(1, 1)) : clearing | (wait == 0));
    m.assign(clearing_o, clearing);
  }
  const Expr last_step = m.let("last_step", offered & last_i & allowed);
  const Expr ends = m.let("ends", last_step | clearing);
  const Expr start = m.let("start", end.at(delay - 1), "a tile's drain begins");
  const Expr draining = m.let("draining", rep(rows, start) | drain);
  const Expr visible_now = m.let("visible_now", mux(start, shown.at(delay - 1), visible));
  m.blank();
  m.assign(drain_o, draining);
  m.assign(valid_o, draining.at(rows - 1) & visible_now);
  m.generate_if(rows == 1, "single_row", [&](Scope& s) {
     s.assign(last_row_o, bin(1, 1));
   }).otherwise("several_rows", [&](Scope& s) { s.assign(last_row_o, ~draining.at(rows - 2)); });
  m.assign(tag_o, mux(start, tags(delay * tag_width - 1, (delay - 1) * tag_width), held_tag));
  if (doubled) {
    m.generate_for("r", 0, rows, "row", [&](Scope& s, const Expr& r) {
      s.assign(last_o.at(r), end.at(stages + r / pe_registers));
    });
  }
  m.blank();
  const Stmt count = If(ends, {wait <<= wait_start}).else_if(wait != 0, {wait <<= wait - 1});
  m.always_ff(
      clk,
      {If(!rst_n, {clearing <<= 1, wait <<= 0, end <<= 0, shown <<= 0, drain <<= 0, visible <<= 0})
           .else_if(advance, {clearing <<= 0, end <<= cat({end(delay - 2, 0), ends}),
                              shown <<= cat({shown(delay - 2, 0), last_step}),
                              drain <<= draining << 1, visible <<= visible_now, count})});
  m.always_ff(clk, {If(advance, {tags <<= cat({tags((delay - 1) * tag_width - 1, 0), tag_i}),
                                 held_tag <<= tag_o})});
  m.finish();
  return m;
}

}  // namespace weft::rtl
