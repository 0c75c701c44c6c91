// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/modules.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc loader_doc(bool doubled) {
  ModuleDoc doc;
  doc.summary = "loads stationary tiles and says which vectors may enter the array.";
  doc.description =
      "A tile comes in BEATS beats, the bottom rows first. Beat b moves through the rows of groups "
      "0 .. b "
      "only, where a group is LOAD_ROWS rows: so a load follows the vectors that still use the "
      "rows below.";
  doc.latency =
      "in cycles with advance_i high: " +
      std::string(doubled ? "the switch to a loaded tile comes one cycle after its last load beat, "
                            "at the earliest "
                            "one cycle after the last vector of the tile before; its first vector "
                            "may be accepted "
                            "in the same cycle; the next load GUARD cycles after the switch."
                          : "the first vector of a tile may be accepted one cycle after its last "
                            "load beat, the next "
                            "load GUARD + 1 cycles after its last vector.");
  return doc;
}

}  // namespace

Module& add_loader(Design& design, const arch::TensorArray& array) {
  const bool doubled = array.stationary_buffers == 2;
  Module& m = design.add_module(array.name + "_loader", loader_doc(doubled));
  const Expr rows = m.parameter("ROWS", array.rows, "PE rows, >= 1");
  const Expr load_rows =
      m.parameter("LOAD_ROWS", array.load_rows_per_cycle, "rows of a load beat, >= 1");
  const Expr pe_registers =
      m.parameter("PE_REGISTERS", array.pe_registers, "PEs between forward registers");

  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low");
  const Expr advance = m.input("advance_i", 1, "the array moves on");
  m.port_group();
  const Expr stationary_valid = m.input("stationary_valid_i");
  const Expr stationary_ready = m.output("stationary_ready_o");
  const Expr load = m.output("load_o", rows, "row r takes part in this beat");
  m.port_group();
  const Expr moving_valid = m.input("moving_valid_i");
  const Expr moving_ready = m.output("moving_ready_o");
  const Expr moving_last = m.input("moving_last_i", 1, "the last vector that uses its tile");
  const Expr switch_o = doubled ? m.output("switch_o", 1, "a loaded tile comes into use") : Expr(0);
  const bool gated = array.clock_gating == arch::ClockGating::per_row;
  if (gated) m.port_group("Known at the beginning of a cycle, for the clocks.");
  const Expr load_open =
      gated ? m.output("load_open_o", rows, "row r may take part in a load beat") : Expr(0);
  const Expr moving_open = gated ? m.output("moving_open_o", 1, "a vector may enter") : Expr(0);

  const Expr beats =
      m.localparam("BEATS", (rows + load_rows - 1) / load_rows, "load beats of a tile");
  m.comment("How much earlier a load beat would reach some row than the vectors ahead of it.");
  const Function load_guard = m.integer_function("load_guard", [&](FunctionBuilder& f) -> Body {
    const Expr count = f.integer_input("count");
    const Expr r = f.integer("r");
    const Expr lead = r / pe_registers - r / load_rows;
    return {set(f.result(), 0), For(r, 0, count, {If(lead > f.result(), {set(f.result(), lead)})})};
  });
  const Expr guard =
      m.localparam("GUARD", load_guard({rows}), "cycles between a switch and the next load");
  m.blank();

  const Expr loaded = m.reg(
      "loaded_q", 1, doubled ? "the shadow registers hold a whole tile" : "a whole tile is held");
  const Expr vacant =
      doubled ? m.reg("vacant_q", 1, "no tile is in use: the next vector needs a switch") : Expr(0);
  const Expr group = m.reg("group_q", beats, "[g]: the next beat moves through group g");
  const Expr clear = m.wire("load_clear", 1, "no vector is in the way of a load");
  m.blank();
  const Expr load_beat = m.let("load_beat", stationary_valid & stationary_ready);
  const Expr tile_done = m.let("tile_done", load_beat & group.at(beats - 1));
  const Expr last_vector = m.let("last_vector", moving_valid & moving_ready & moving_last);
  const Expr change = doubled ? m.let("switch_now", vacant & loaded) : last_vector;
  m.blank();
  if (gated) {
    const Expr open = m.let("open", doubled ? (~loaded | vacant) & clear : ~loaded & clear);
    m.assign(stationary_ready, advance & open);
    m.assign(moving_open, doubled ? ~vacant | loaded : loaded);
    m.assign(moving_ready, advance & moving_open);
    m.generate_for("r", 0, rows, "open_row", [&](Scope& s, const Expr& r) {
      s.assign(load_open.at(r), open & group.at(r / load_rows));
    });
  } else {
    m.assign(stationary_ready,
             doubled ? advance & (~loaded | vacant) & clear : advance & ~loaded & clear);
    m.assign(moving_ready, doubled ? advance & (~vacant | loaded) : advance & loaded);
  }
  if (doubled) m.assign(switch_o, change);
  m.generate_for("r", 0, rows, "row", [&](Scope& s, const Expr& r) {
    s.assign(load.at(r), load_beat & group.at(r / load_rows));
  });
  m.blank();

  Body moving_on{
      If(tile_done, {loaded <<= 1}).else_if(change, {loaded <<= 0}),
      If(load_beat, {group <<= mux(group.at(beats - 1), lit(beats, 1), (group << 1) | 1)}),
  };
  Body cleared{loaded <<= 0, group <<= 1};
  if (doubled) {
    moving_on.push_back(If(last_vector, {vacant <<= 1}).else_if(change, {vacant <<= 0}));
    cleared.push_back(vacant <<= 1);
  }
  m.always_ff(clk, {If(!rst_n, cleared).else_if(advance, moving_on)});
  m.blank();

  m.generate_if(guard == 0, "no_guard", [&](Scope& s) {
     s.assign(clear, bin(1, 1));
   }).otherwise("guarded", [&](Scope& s) {
    const Expr width = s.localparam("WAIT_WIDTH", clog2(guard + 1));
    const Expr start = s.constant("WAIT", width, doubled ? guard - 1 : guard);
    const Expr wait = s.reg("wait_q", width, "cycles until a load may follow");
    s.assign(clear, doubled ? (wait == 0) & ~change : wait == 0);
    s.always_ff(
        clk,
        {If(!rst_n, {wait <<= 0})
             .else_if(advance,
                      {If(change, {wait <<= start}).else_if(wait != 0, {wait <<= wait - 1})})});
  });
  m.finish();
  return m;
}

}  // namespace weft::rtl
