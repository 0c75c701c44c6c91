// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/gated_rows.h"
#include "rtl_gen/array/modules.h"
#include "rtl_gen/array/moving_operand.h"
#include "rtl_gen/array/pe_arithmetic.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc grid_doc(const arch::TensorArray& array) {
  const bool doubled = array.stationary_buffers == 2;
  ModuleDoc doc;
  doc.summary = "the PEs of a weight- or input-stationary tensor array.";
  doc.description =
      "PE (r, c) multiplies the MACS elements of the moving operand that pass by with the MACS "
      "elements that "
      "it holds, and adds the products to the partial sum from the row above. Moving operands "
      "travel to the "
      "right, partial sums and stationary elements down.";
  doc.description += doubled ? "\n\nEach PE has two stationary registers: active_q is in use, "
                               "shadow_q is part of a chain down "
                               "its column through which the next tile is loaded. switch_i copies "
                               "shadow_q to active_q; it runs "
                               "through the array like a vector, behind the old tile's last one "
                               "and ahead of the new tile's first."
                             : "\n\nThe stationary registers active_q form a chain down each "
                               "column through which a tile is "
                               "loaded.";
  doc.diagram =
      "          stationary_i, load_i\n"
      "                |\n"
      "                v\n"
      "             +------+   moving   +------+\n"
      "  moving_i ->| PE   |----------->| PE   |-->\n"
      "             | 0, 0 |            | 0, 1 |\n"
      "             +------+            +------+\n"
      "                | partial sum       |\n"
      "                v                   v\n"
      "             +------+            +------+\n"
      "  moving_i ->| PE   |----------->| PE   |-->\n"
      "             +------+            +------+\n"
      "                v result_o          v result_o";
  doc.latency =
      "in cycles with advance_i high, with h(i) = floor(i / PE_REGISTERS): lane r of a vector is "
      "given in cycle t + h(r); "
      "column c of its result is at result_o in cycle t + h(ROWS - 1) + h(c) + " +
      std::to_string(array.multiplier_stages + array.adder_stages + 2) + ". " +
      std::string(
          doubled ? "switch_i[r] comes h(r) cycles after the loader's switch: later than row r is "
                    "given the last vector of the old tile, and no later than the first one of the "
                    "new tile. "
                  : "") +
      "Column c of a load beat is given h(c) cycles after load_i.";
  return doc;
}

}  // namespace

Module& add_stationary_grid(Design& design, const arch::TensorArray& array,
                            const Module* clock_gate) {
  const bool doubled = array.stationary_buffers == 2;
  const bool saturates = array.overflow == arch::Overflow::saturate;
  Module& m = design.add_module(array.name + "_grid", grid_doc(array));
  const GridParameters p(m, array);
  const Expr load_rows =
      m.parameter("LOAD_ROWS", array.load_rows_per_cycle, "rows of a load beat, >= 1");
  const Expr psum_width =
      m.parameter("PSUM_WIDTH", array.accumulator_width, "bits of a partial sum");

  const Expr moving_bits = p.macs * p.moving_width;
  const Expr held_bits = p.macs * p.stationary_width;
  const Expr edge = m.localparam("EDGE", mux(p.cols < p.pe_registers, p.cols, p.pe_registers),
                                 "columns before the first forward register");

  const Expr clk = m.input("clk_i");
  const Expr advance = m.input("advance_i", 1, "all registers hold while low");
  const Expr tile_rows = (p.rows + p.pe_registers - 1) / p.pe_registers;
  Expr moving_on = 0;
  Expr held_on = 0;
  if (clock_gate != nullptr) {
    m.port_group("For the clocks, from registers; [t] for rows t*PE_REGISTERS and following.");
    moving_on = m.input("moving_on_i", tile_rows, "a vector or its sums move");
    held_on = m.input("held_on_i", tile_rows, "stationary elements move");
  }
  m.port_group();
  const Expr load = m.input("load_i", p.rows, "row r takes part in a load beat at column 0");
  const Expr stationary_i = m.input("stationary_i", load_rows * p.cols * held_bits,
                                    "element (l, c, m) at (l*COLS + c)*MACS + m");
  const Expr switch_i =
      doubled ? m.input("switch_i", p.rows, "row r takes the next tile at column 0") : Expr(0);
  m.port_group();
  const Expr moving_i = m.input("moving_i", p.rows * moving_bits, "element (r, m) at r*MACS + m");
  const Expr result_o = clock_gate != nullptr
                            ? m.output("result_o", p.cols * psum_width, "column c at c")
                            : m.output_reg("result_o", p.cols * psum_width, "column c at c");

  m.generate_if(p.rows < load_rows, "spare_lanes", [&](Scope& s) {
    const Expr used = p.rows * p.cols * held_bits;
    s.unused("unused_lanes", {stationary_i(load_rows * p.cols * held_bits - 1, used)},
             "rows beyond the grid");
  });
  m.require(p.rows >= 1, "ROWS_must_be_at_least_1");
  m.require(p.cols >= 1, "COLS_must_be_at_least_1");
  m.require(p.pe_registers >= 1, "PE_REGISTERS_must_be_at_least_1");

  PeArithmetic pe(m, p, array, psum_width,
                  saturates ? Accumulation::saturating : Accumulation::chain,
                  array.operand_isolation ? Isolation::product : Isolation::none);
  MovingOperand moving(m, p, edge, "EDGE", array.operand_isolation);
  const Expr tiles = m.localparam("TILE_ROWS", tile_rows, "rows of partial sum registers");
  const auto start = [&] { return saturates ? lit(pe.width(), 0) : -pe.column_bias(); };
  m.blank();
  if (clock_gate != nullptr) {
    GatedRows({m, p, pe, moving, load_rows, psum_width, moving_bits, held_bits, edge, tiles,
               start(), clk, advance, load, stationary_i, moving_i, result_o, switch_i, doubled},
              *clock_gate)
        .build(moving_on, held_on);
    m.finish();
    return m;
  }
  const std::vector<Expr> grid{p.rows, p.cols};
  const auto array_of = [&](const char* name, const Expr& bits, const std::vector<Expr>& dims,
                            const char* note) {
    return m.reg_array(name, bits, dims, Storage::registers, note);
  };
  const std::vector<Expr> travelling{p.rows, p.cols + edge};
  m.comment(
      "What travels to the right: elements c < EDGE are given, element c + EDGE was element c in "
      "the last cycle.");
  moving.declare(m, p.rows);
  const Expr load_at =
      array_of("load_at", 1, travelling, "[c]: column c takes part in a load beat");
  const Expr switch_at =
      doubled ? array_of("switch_at", 1, travelling, "[c]: column c takes the next tile") : Expr(0);
  m.comment("What stays in PE (r, c).");
  const Expr active = array_of("active_q", held_bits, grid, "stationary elements in use");
  const Expr shadow =
      doubled ? array_of("shadow_q", held_bits, grid, "stationary elements of the next tile")
              : active;
  const Expr psum =
      array_of("psum_q", pe.width(), {tiles, p.cols}, "partial sums below each row of tiles");
  pe.declare_pipeline(m, p.rows);

  const Expr r = m.loop_variable("r");
  const Expr c = m.loop_variable("c");
  const Expr t = m.loop_variable("t");
  const auto at = [&](const Expr& signal) { return signal.at(r).at(c); };

  // Every loop runs over columns without looking sideways, or downwards, so that it reads what the
  // last cycle left.
  Body given = moving.given(moving_i.part(r * moving_bits, moving_bits), r, c);
  given.push_back(For(c, 0, edge, {set(at(load_at), load.at(r))}));
  if (doubled) given.push_back(For(c, 0, edge, {set(at(switch_at), switch_i.at(r))}));
  const PeOperands operands = moving.operands(at(active), r, c);

  const Expr here = psum.at(t).at(c);
  const Expr none = start();
  const Body accumulate{
      For(c, 0, p.cols, {set(here, pe.accumulate(here, pe.dot(operands, r, c)))})};

  Body body{
      For(r, 0, p.rows, given),
      remark(saturates
                 ? "Partial sums, from the bottom up: what came from above plus the row's own "
                   "products."
                 : "Partial sums, from the bottom up: what came from above plus the row's own "
                   "products. They start "
                   "at minus the bias of a whole column, so that what leaves the array is exact."),
      ForDown(t, 0, tiles,
              {If(t == 0, {For(c, 0, p.cols, {set(here, none)})})
                   .else_({For(c, 0, p.cols, {set(here, psum.at(t - 1).at(c))})}),
               For(r, t * p.pe_registers, (t + 1) * p.pe_registers, {If(r < p.rows, accumulate)})}),
  };
  if (pe.pipelined()) {
    body.push_back(For(r, 0, p.rows, {For(c, 0, p.cols, pe.shift(operands, r, c))}));
  }
  if (doubled) {
    body.push_back(
        For(r, 0, p.rows,
            {For(c, 0, p.cols, {set(at(active), mux(at(switch_at), at(shadow), at(active)))})}));
  }
  const Expr load_edge = m.localparam("LOAD_EDGE", mux(p.rows < load_rows, p.rows, load_rows),
                                      "rows that are loaded from stationary_i");
  const Expr lane = stationary_i.part((r * p.cols + c) * held_bits, held_bits);
  const Expr from_above = shadow.at(r - load_rows).at(c);
  const auto shift_right = [&](const Expr& signal) {
    return ForDown(c, 0, p.cols, {set(signal.at(r).at(c + edge), at(signal))});
  };
  Body to_the_right = moving.shift(r, c);
  to_the_right.push_back(shift_right(load_at));
  if (doubled) to_the_right.push_back(shift_right(switch_at));

  body.insert(
      body.end(),
      {
          remark("The load chain, LOAD_ROWS rows a beat."),
          ForDown(r, load_edge, p.rows,
                  {For(c, 0, p.cols, {set(at(shadow), mux(at(load_at), from_above, at(shadow)))})}),
          For(r, 0, load_edge,
              {For(c, 0, p.cols, {set(at(shadow), mux(at(load_at), lane, at(shadow)))})}),
          remark("To the right, one forward register a cycle."),
          For(r, 0, p.rows, to_the_right),
          For(c, 0, p.cols,
              {result_o.part(c * psum_width, psum_width) <<=
               trunc(psum.at(tiles - 1).at(c), psum_width)}),
      });
  m.always_in_place(
      clk, {If(advance, body)}, "grid",
      "One block for all PEs, updated in place in an order in which each value is read before it "
      "is overwritten: loops stay loops, so that any size reads, compiles and simulates alike.");
  m.finish();
  return m;
}

}  // namespace weft::rtl
