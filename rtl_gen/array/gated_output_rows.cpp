// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/gated_output_rows.h"

#include <optional>

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
  std::vector<Expr> bottom;
  for (const Expr& part : bottom_) bottom.push_back(at_iteration(part, {grid_.tiles - 1}));
  grid_.sums.show(m, bottom, grid_.result, p.cols);
}

Expr GatedOutputRows::from_above(Scope& s, const std::string& name, const Expr& t, const Expr& top,
                                 const Expr& registers, const Expr& width) const {
  const Expr above = s.wire(name, width, "from the row of tiles above");
  s.generate_if(t == 0, name + "_top", [&](Scope& at_top) {
     at_top.assign(above, top);
   }).otherwise(name + "_lower", [&](Scope& lower) {
    lower.assign(above, at_iteration(registers, {t - 1}).part(0, width));
  });
  return above;
}

void GatedOutputRows::build_row(Scope& s, const Expr& t, const Expr& clock) {
  const GridParameters& p = grid_.parameters;
  const auto at = [&](const Expr& signal) { return signal.at(r_).at(c_); };
  const auto array_of = [&](const std::string& name, const Expr& bits, const std::string& note) {
    return s.reg_array(name, bits, {height_, p.cols}, Storage::registers, note);
  };
  const auto flags = [&](const char* name, const char* note) {
    return s.reg_array(name, 1, {height_, p.cols + grid_.edge}, Storage::registers, note);
  };
  // A row of tiles is never higher than the one above it.
  const Expr row_bits = p.cols * grid_.stationary_bits;
  const Expr stationary =
      s.reg("stationary_q", height_ * row_bits, "what PE (r, c) multiplies, at r*COLS + c");
  const Expr stationary_above = from_above(
      s, "stationary_above", t, rep(height_, grid_.stationary_in), stationary, height_ * row_bits);
  grid_.moving.declare(s, height_);
  grid_.pe.declare_pipeline(s, height_);
  const std::optional<Expr> last_at =
      grid_.doubled ? std::optional(flags("last_at", "[c]: column c ends its tile")) : std::nullopt;
  const Expr drain_at = flags("drain_at", "[c]: column c shifts down");
  std::vector<OutputSums::Registers> registers;
  bottom_.clear();
  for (const OutputSums::Part& part : grid_.sums.parts()) {
    const Expr sum = array_of("sum" + part.suffix + "_q", part.bits, part.note);
    const Expr leaving =
        grid_.doubled ? array_of("drain" + part.suffix + "_q", part.bits, "on its way down") : sum;
    const Expr columns = p.cols * part.bits;
    bottom_.push_back(s.reg("bottom" + part.suffix + "_q", columns, "the last row of those"));
    if (!grid_.sums.split())
      s.unused("unused_sums", {bottom_.back()},
               "nothing reads bits above ACC_WIDTH of the last row");
    const Expr above =
        from_above(s, "above" + part.suffix, t, lit(columns, 0), bottom_.back(), columns);
    registers.push_back({sum, leaving, above.part(c_ * part.bits, part.bits)});
  }

  const auto given = [&](const Expr& flag_at, const Expr& port) {
    return For(c_, 0, grid_.edge, {set(at(flag_at), port.at(first_ + r_))});
  };
  Body enter = grid_.moving.given(
      grid_.moving_in.part((first_ + r_) * grid_.moving_bits, grid_.moving_bits), r_, c_);
  enter.push_back(given(drain_at, grid_.drain_in));
  if (last_at) enter.push_back(given(*last_at, grid_.last_in));
  const auto shift_right = [&](const Expr& flag) {
    return ForDown(c_, 0, p.cols, {set(flag.at(r_).at(c_ + grid_.edge), at(flag))});
  };
  Body to_the_right = grid_.moving.shift(r_, c_);
  to_the_right.push_back(shift_right(drain_at));
  if (last_at) to_the_right.push_back(shift_right(*last_at));

  const PeOperands operands = grid_.moving.operands(
      stationary.part((r_ * p.cols + c_) * grid_.stationary_bits, grid_.stationary_bits), r_, c_);
  Body body{For(r_, 0, height_, enter),
            ForDown(r_, 0, height_,
                    grid_.sums.row(registers, r_, c_, p.cols, grid_.pe.dot(operands, r_, c_),
                                   drain_at, last_at))};
  if (grid_.pe.pipelined())
    body.push_back(For(r_, 0, height_, {For(c_, 0, p.cols, grid_.pe.shift(operands, r_, c_))}));
  body.push_back(For(r_, 0, height_, to_the_right));
  for (std::size_t part = 0; part < registers.size(); ++part) {
    const Expr& bits = grid_.sums.parts()[part].bits;
    body.push_back(For(
        c_, 0, p.cols,
        {bottom_[part].part(c_ * bits, bits) <<= registers[part].leaving.at(height_ - 1).at(c_)}));
  }
  body.push_back(stationary <<= stationary_above);
  s.always_in_place(clock, {If(grid_.advance, body)}, "pes",
                    "Private to this block is all but what the next row of tiles reads.");
}

}  // namespace weft::rtl
