// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/gated_output_rows.h"

namespace weft::rtl {

using namespace hdl;

void GatedOutputRows::build(const Expr& on) {
  Module& m = grid_.module;
  const GridParameters& p = grid_.parameters;
  m.comment(
      "A row of tiles: what crosses from one to the next is assigned nonblocking. All else is "
      "updated in place, in an order in which each value is read before it is overwritten.");
  r_ = m.loop_variable("r");
  c_ = m.loop_variable("c");
  m.generate_for("t", 0, grid_.tiles, "tile_row", [&](Scope& s, const Expr& t) {
    first_ = s.localparam("FIRST", t * p.pe_registers, "row of the grid");
    const Expr left = p.rows - first_;
    height_ = s.localparam("HEIGHT", mux(left < p.pe_registers, left, p.pe_registers),
                           "rows that share a clock");
    const Expr clock = s.wire("row_clk", 1);
    s.instance("u_row_clock", clock_gate_, {},
               {{"clk_i", grid_.clk}, {"enable_i", on.at(t)}, {"clk_o", clock}});
    build_row(s, t, clock);
  });
  const Expr last_row = m.localparam("LAST_ROW", (p.rows - 1) % p.pe_registers,
                                     "the last row of the grid, within its tiles");
  std::vector<Expr> bottom;
  for (std::size_t part = 0; part < leaving_.size(); ++part) {
    const Expr bits = p.cols * grid_.sums.parts()[part].bits;
    bottom.push_back(
        m.let("bottom" + grid_.sums.parts()[part].suffix,
              at_iteration(leaving_[part], {grid_.tiles - 1}).part(last_row * bits, bits)));
  }
  grid_.sums.show(m, bottom, grid_.result, p.cols);
}

GatedOutputRows::Column GatedOutputRows::column(Scope& s, const std::string& name, const Expr& bits,
                                                const Expr& t, const Expr& top, bool by_tiles,
                                                const std::string& note) const {
  const GridParameters& p = grid_.parameters;
  const Expr row = p.cols * bits;
  const Expr registers = s.reg(name + "_q", height_ * row, note);
  // Every tile row but the last has PE_REGISTERS rows.
  const Expr over = by_tiles ? height_ * row : row;
  const Expr over_first = s.wire(name + "_over", over, "what crosses from the row of tiles above");
  s.generate_if(t == 0, name + "_top", [&](Scope& at_top) {
     at_top.assign(over_first, top);
   }).otherwise(name + "_lower", [&](Scope& lower) {
    const Expr from = by_tiles ? Expr(0) : (p.pe_registers - 1) * row;
    lower.assign(over_first, at_iteration(registers, {t - 1}).part(from, over));
  });
  if (by_tiles) return {registers, bits, over_first};
  return {registers, bits,
          s.let(name + "_above", (registers << row) | zext(over_first, height_ * row))};
}

void GatedOutputRows::build_row(Scope& s, const Expr& t, const Expr& clock) {
  const GridParameters& p = grid_.parameters;
  const OutputSums& sums = grid_.sums;
  const Column stationary =
      column(s, "stationary", grid_.stationary_bits, t, rep(height_, grid_.stationary_in), true,
             "what PE (r, c) multiplies, at r*COLS + c");
  std::vector<Column> leaving;
  std::vector<Expr> sum;  // of the PE
  leaving_.clear();
  for (const OutputSums::Part& part : sums.parts()) {
    const std::string name = (grid_.doubled ? "drain" : "sum") + part.suffix;
    leaving.push_back(column(s, name, part.bits, t, lit(p.cols * part.bits, 0), false,
                             grid_.doubled ? "on their way down" : part.note));
    leaving_.push_back(leaving.back().registers);
  }
  grid_.moving.declare(s, height_);
  grid_.pe.declare_pipeline(s, height_);
  const auto flags = [&](const char* name, const char* note) {
    return s.reg_array(name, 1, {height_, p.cols + grid_.edge}, Storage::registers, note);
  };
  const Expr last_at = grid_.doubled ? flags("last_at", "[c]: column c ends its tile") : Expr(0);
  const Expr drain_at = flags("drain_at", "[c]: column c shifts down");
  for (std::size_t part = 0; part < leaving.size(); ++part)
    sum.push_back(grid_.doubled
                      ? s.reg_array("sum" + sums.parts()[part].suffix + "_q", leaving[part].bits,
                                    {height_, p.cols}, Storage::registers, sums.parts()[part].note)
                            .at(r_)
                            .at(c_)
                      : of_pe(leaving[part].registers, leaving[part].bits));
  const auto here = [&](const Expr& flag) { return flag.at(r_).at(c_); };
  const auto each_pe = [&](const Body& body) {
    return For(r_, 0, height_, {For(c_, 0, p.cols, body)});
  };
  const auto given = [&](const Expr& flag_at, const Expr& port) {
    return For(c_, 0, grid_.edge, {set(here(flag_at), port.at(first_ + r_))});
  };

  Body enter = grid_.moving.given(
      grid_.moving_in.part((first_ + r_) * grid_.moving_bits, grid_.moving_bits), r_, c_);
  enter.push_back(given(drain_at, grid_.drain_in));
  if (grid_.doubled) enter.push_back(given(last_at, grid_.last_in));

  const PeOperands operands =
      grid_.moving.operands(of_pe(stationary.registers, stationary.bits), r_, c_);
  const Expr dot = grid_.pe.dot(operands, r_, c_);
  Body step;
  for (std::size_t part = 0; part < leaving.size(); ++part) {
    const Expr next = sums.next(part, sum, dot);
    const Expr now = of_pe(leaving[part].registers, leaving[part].bits);
    const Expr above = of_pe(leaving[part].above, leaving[part].bits);
    if (!grid_.doubled) {
      step.push_back(now <<= mux(here(drain_at), above, next));
      continue;
    }
    step.push_back(set(sum[part], next));
    step.push_back(now <<= mux(here(last_at), sum[part], mux(here(drain_at), above, now)));
    step.push_back(set(sum[part], mux(here(last_at), lit(leaving[part].bits, 0), sum[part])));
  }

  const auto shift_right = [&](const Expr& flag) {
    return ForDown(c_, 0, p.cols, {set(flag.at(r_).at(c_ + grid_.edge), here(flag))});
  };
  Body to_the_right = grid_.moving.shift(r_, c_);
  to_the_right.push_back(shift_right(drain_at));
  if (grid_.doubled) to_the_right.push_back(shift_right(last_at));

  Body body{For(r_, 0, height_, enter), each_pe(step)};
  if (grid_.pe.pipelined()) body.push_back(each_pe(grid_.pe.shift(operands, r_, c_)));
  body.push_back(For(r_, 0, height_, to_the_right));
  body.push_back(stationary.registers <<= stationary.above);
  s.always_in_place(clock, {If(grid_.advance, body)}, "pes",
                    "Private to this block is all but what other rows of tiles read.");
}

}  // namespace weft::rtl
