// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "rtl_gen/array/gated_output_rows.h"
#include "rtl_gen/array/modules.h"
#include "rtl_gen/array/moving_operand.h"
#include "rtl_gen/array/output_sums.h"
#include "rtl_gen/array/pe_arithmetic.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc grid_doc(bool doubled, int stages) {
  ModuleDoc doc;
  doc.summary = "the PEs of an output-stationary tensor array.";
  doc.description =
      "PE (r, c) multiplies the MACS elements of the moving operand that come from the left with "
      "the MACS elements of "
      "the stationary operand that come from above, and adds the products to the sum that it "
      "keeps. Lanes without "
      "a step carry zeros, which change no sum.\n\n" +
      std::string(doubled
                      ? "last_i travels with the last step of a tile: the sum goes to the PE's "
                        "drain register and the next "
                        "one starts from zero. drain_i shifts the drain registers of a column down."
                      : "drain_i shifts the sums of a column down, zeros from above; row r takes "
                        "part in the first r + 1 "
                        "shifts only, so that the next tile can follow row by row.");
  doc.diagram =
      "             stationary_i          stationary_i\n"
      "                |                     |\n"
      "                v                     v\n"
      "             +------+   moving     +------+\n"
      "  moving_i ->| PE   |------------->| PE   |-->\n"
      "             | 0, 0 |              | 0, 1 |\n"
      "             +------+              +------+\n"
      "                | stationary, sums    |\n"
      "                v                     v\n"
      "             +------+              +------+\n"
      "  moving_i ->| PE   |------------->| PE   |-->\n"
      "             +------+              +------+\n"
      "                v result_o            v result_o";
  doc.latency =
      "in cycles with advance_i high, with h(i) = floor(i / PE_REGISTERS): lane r of the moving "
      "and lane c of the stationary "
      "operand of a step are given in cycles t + h(r) and t + h(c); the step is in the sum of PE "
      "(r, c) from cycle "
      "t + h(r) + h(c) + " +
      std::to_string(stages + 2) + ". " +
      (doubled ? "last_i[r] is given in cycle t + h(r) + " + std::to_string(stages + 1) + ". "
               : "") +
      "Column c sees drain_i h(c) cycles later; result_o shows the last row.";
  return doc;
}

}  // namespace

Module& add_output_grid(Design& design, const arch::TensorArray& array, const Module* clock_gate) {
  const bool doubled = array.stationary_buffers == 2;
  const bool saturates = array.overflow == arch::Overflow::saturate;
  // A sum much wider than its products would be one long carry chain.
  const bool deferred = !saturates && array.accumulator_width > biased_dot_width(array);
  Module& m = design.add_module(array.name + "_grid",
                                grid_doc(doubled, array.multiplier_stages + array.adder_stages));
  const GridParameters p(m, array);
  const Expr acc_width = m.parameter("ACC_WIDTH", array.accumulator_width, "bits of a sum");
  const Expr moving_bits = p.macs * p.moving_width;
  const Expr stationary_bits = p.macs * p.stationary_width;

  const Expr clk = m.input("clk_i");
  const Expr advance = m.input("advance_i", 1, "all registers hold while low");
  const Expr tile_rows = (p.rows + p.pe_registers - 1) / p.pe_registers;
  Expr on = 0;
  if (clock_gate != nullptr) {
    m.port_group("For the clocks, from registers; [t] for rows t*PE_REGISTERS and following.");
    on = m.input("on_i", tile_rows, "a step or its sums move");
  }
  m.port_group();
  const Expr moving_i = m.input("moving_i", p.rows * moving_bits, "element (r, m) at r*MACS + m");
  const Expr stationary_i =
      m.input("stationary_i", p.cols * stationary_bits, "element (c, m) at c*MACS + m");
  const Expr last_i =
      doubled ? m.input("last_i", p.rows, "row r ends its tile at column 0") : Expr(0);
  const Expr drain_i = m.input("drain_i", p.rows, "row r shifts down at column 0");
  m.port_group();
  const Expr result_o = deferred || clock_gate != nullptr
                            ? m.output("result_o", p.cols * acc_width, "column c at c")
                            : m.output_reg("result_o", p.cols * acc_width, "column c at c");

  m.require(p.rows >= 1, "ROWS_must_be_at_least_1");
  m.require(p.cols >= 1, "COLS_must_be_at_least_1");
  m.require(p.pe_registers >= 1, "PE_REGISTERS_must_be_at_least_1");
  const auto edge_of = [&](const char* name, const Expr& count, const char* note) {
    return m.localparam(name, mux(count < p.pe_registers, count, p.pe_registers), note);
  };
  const Expr row_edge = clock_gate != nullptr
                            ? Expr(0)
                            : edge_of("ROW_EDGE", p.rows, "rows before the first forward register");
  const Expr col_edge = edge_of("COL_EDGE", p.cols, "columns before the first forward register");
  PeArithmetic pe(m, p, array, acc_width,
                  saturates  ? Accumulation::saturating
                  : deferred ? Accumulation::deferred
                             : Accumulation::exact,
                  array.operand_isolation ? Isolation::digits : Isolation::none);
  MovingOperand moving(m, p, col_edge, "COL_EDGE", array.operand_isolation);
  const OutputSums sums(m, pe, acc_width, deferred);

  m.blank();
  if (clock_gate != nullptr) {
    GatedOutputRows({m, p, pe, moving, sums, moving_bits, stationary_bits, col_edge, tile_rows, clk,
                     advance, moving_i, stationary_i, drain_i, result_o, last_i, doubled},
                    *clock_gate)
        .build(on);
    m.finish();
    return m;
  }
  const std::vector<Expr> grid{p.rows, p.cols};
  const auto array_of = [&](const std::string& name, const Expr& bits, const std::string& note) {
    return m.reg_array(name, bits, grid, Storage::registers, note);
  };
  m.comment(
      "What travels to the right and down: elements below EDGE are given, element i + EDGE was "
      "element i in the last cycle.");
  const auto travelling = [&](const char* name, const Expr& bits, const std::vector<Expr>& dims,
                              const char* note) {
    return m.reg_array(name, bits, dims, Storage::registers, note);
  };
  const std::vector<Expr> right{p.rows, p.cols + col_edge};
  moving.declare(m, p.rows);
  const Expr stationary_at =
      travelling("stationary_at", stationary_bits, {p.rows + row_edge, p.cols},
                 "[r + ROW_EDGE]: what row r multiplies");
  const Expr last_at =
      doubled ? travelling("last_at", 1, right, "[c]: column c ends its tile") : Expr(0);
  const Expr drain_at = travelling("drain_at", 1, right, "[c]: column c shifts down");
  m.comment("What stays in PE (r, c).");
  pe.declare_pipeline(m, p.rows);

  const Expr r = m.loop_variable("r");
  const Expr c = m.loop_variable("c");
  const auto at = [&](const Expr& signal) { return signal.at(r).at(c); };
  const auto columns = [&](const Stmt& statement) { return For(c, 0, p.cols, {statement}); };
  const PeOperands operands = moving.operands(stationary_at.at(r + row_edge).at(c), r, c);

  std::vector<OutputSums::Registers> registers;
  std::vector<Expr> bottom;  // what leaves the last row
  for (const OutputSums::Part& part : sums.parts()) {
    const Expr sum = array_of("sum" + part.suffix + "_q", part.bits, part.note);
    const Expr leaving =
        doubled ? array_of("drain" + part.suffix + "_q", part.bits, "on its way down") : sum;
    bottom.push_back(deferred ? m.reg("bottom" + part.suffix + "_q", p.cols * part.bits)
                              : result_o);
    registers.push_back({sum, leaving, lit(part.bits, 0)});
  }
  const Expr dot = pe.dot(operands, r, c);

  Body given = moving.given(moving_i.part(r * moving_bits, moving_bits), r, c);
  given.push_back(For(c, 0, col_edge, {set(at(drain_at), drain_i.at(r))}));
  if (doubled) given.push_back(For(c, 0, col_edge, {set(at(last_at), last_i.at(r))}));
  const Expr column_i = stationary_i.part(c * stationary_bits, stationary_bits);
  Body body{
      For(r, 0, p.rows, given), For(r, 0, row_edge, {columns(set(at(stationary_at), column_i))}),
      remark(doubled ? "Sums, from the bottom up; a finished one moves to its drain register."
                     : "Sums, from the bottom up: a step is added, or the sum above moves down.")};
  body.push_back(ForDown(r, 0, p.rows,
                         sums.row(registers, r, c, p.cols, dot, drain_at,
                                  doubled ? std::optional(last_at) : std::nullopt)));
  if (pe.pipelined()) {
    body.push_back(For(r, 0, p.rows, {For(c, 0, p.cols, pe.shift(operands, r, c))}));
  }
  const auto shift_right = [&](const Expr& signal) {
    return ForDown(c, 0, p.cols, {set(signal.at(r).at(c + col_edge), at(signal))});
  };
  Body to_the_right = moving.shift(r, c);
  to_the_right.push_back(shift_right(drain_at));
  if (doubled) to_the_right.push_back(shift_right(last_at));
  body.push_back(remark("To the right and down, one forward register a cycle."));
  body.push_back(For(r, 0, p.rows, to_the_right));
  body.push_back(ForDown(r, 0, p.rows,
                         {columns(set(stationary_at.at(r + row_edge).at(c), at(stationary_at)))}));
  for (std::size_t part = 0; part < registers.size(); ++part) {
    const Expr last_row = registers[part].leaving.at(p.rows - 1).at(c);
    const Expr shown = deferred ? sums.parts()[part].bits : acc_width;
    body.push_back(columns(bottom[part].part(c * shown, shown) <<=
                           deferred ? last_row : trunc(last_row, acc_width)));
  }
  m.always_in_place(
      clk, {If(advance, body)}, "grid",
      "One block for all PEs, updated in place in an order in which each value is read before it "
      "is overwritten: loops stay loops, so that any size reads, compiles and simulates alike.");
  if (deferred) sums.show(m, bottom, result_o, p.cols);
  m.finish();
  return m;
}

}  // namespace weft::rtl
