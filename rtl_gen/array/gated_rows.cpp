// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/gated_rows.h"

#include <string>
#include <utility>

namespace weft::rtl {

using namespace hdl;

void GatedRows::build(const Expr& moving_on, const Expr& held_on) {
  Module& m = grid_.module;
  const GridParameters& p = grid_.parameters;
  m.comment(
      "A row of tiles: what crosses from one to the next is assigned nonblocking, as are the "
      "stationary elements, which two clocks see. All else is updated in place, in an order in "
      "which each value is read before it is overwritten.");
  held_bits_ = m.localparam("HELD_BITS", grid_.held_bits, "stationary elements of a PE");
  row_bits_ = m.localparam("ROW_BITS", p.cols * held_bits_, "those of a row");
  r_ = m.loop_variable("r");
  c_ = m.loop_variable("c");
  m.generate_for("t", 0, grid_.tiles, "tile_row", [&](Scope& s, const Expr& t) {
    first_ = s.localparam("FIRST", t * p.pe_registers, "row of the grid");
    const Expr left = p.rows - first_;
    height_ = s.localparam("HEIGHT", mux(left < p.pe_registers, left, p.pe_registers),
                           "rows that share their clocks");
    psum_ = s.reg("psum_q", p.cols * grid_.pe.width(), "partial sums below, column c at c");
    active_ = s.reg("active_q", height_ * row_bits_,
                    "stationary elements in use, PE (r, c) at r*COLS + c");
    s.unused("unused_sums", {psum_}, "nothing reads bits above PSUM_WIDTH of the last row");
    chain_ =
        grid_.doubled ? s.reg("shadow_q", height_ * row_bits_, "those of the next tile") : active_;
    build_streaming(s, t, gated_clock(s, "moving", moving_on.at(t)));
    build_held(s, gated_clock(s, "held", held_on.at(t)));
  });
  m.generate_for("g", 0, p.cols, "result_column", [&](Scope& s, const Expr& g) {
    s.assign(grid_.result.part(g * grid_.psum_width, grid_.psum_width),
             at_iteration(psum_, {grid_.tiles - 1}).part(g * grid_.pe.width(), grid_.psum_width));
  });
}

Expr GatedRows::gated_clock(Scope& s, const std::string& name, const Expr& enable) const {
  const Expr clock = s.wire(name + "_clk", 1);
  s.instance("u_" + name + "_clock", clock_gate_, {},
             {{"clk_i", grid_.clk}, {"enable_i", enable}, {"clk_o", clock}});
  return clock;
}

Expr GatedRows::sums_above(Scope& s, const Expr& t) const {
  const Expr above = s.wire("sums_above", grid_.parameters.cols * grid_.pe.width());
  s.generate_if(t == 0, "top_row", [&](Scope& top) {
     top.assign(above, rep(grid_.parameters.cols, grid_.start));
   }).otherwise("lower_row", [&](Scope& lower) {
    lower.assign(above, at_iteration(psum_, {t - 1}));
  });
  return above;
}

Expr GatedRows::rows_to_load(Scope& s) const {
  const Expr& n = grid_.parameters.pe_registers;
  const Expr& bits = row_bits_;
  const Expr loading = s.wire("loading", height_ * bits, "what the next load beat brings");
  s.generate_for("k", 0, height_, "load_row", [&](Scope& row, const Expr& k) {
    const Expr g = row.localparam("ROW", first_ + k);
    row.generate_if(g < grid_.load_rows, "from_outside",
                    [&](Scope& lane) {
                      lane.assign(loading.part(k * bits, bits),
                                  grid_.stationary.part(g * bits, bits));
                    })
        .otherwise("from_above", [&](Scope& above) {
          const Expr from = above.localparam("FROM", g - grid_.load_rows);
          above.assign(loading.part(k * bits, bits),
                       at_iteration(chain_, {from / n}).part(from % n * bits, bits));
        });
  });
  return loading;
}

void GatedRows::build_streaming(Scope& s, const Expr& t, const Expr& clock) {
  const GridParameters& p = grid_.parameters;
  const Expr above = sums_above(s, t);
  grid_.moving.declare(s, height_);
  grid_.pe.declare_pipeline(s, height_);
  const Expr sums = s.reg_array("sum_at", grid_.pe.width(), {p.cols}, Storage::registers,
                                "partial sums on their way through the rows");
  const Expr& r = r_;
  const Expr& c = c_;
  const Expr stationary = active_.part((r * p.cols + c) * held_bits_, held_bits_);
  const PeOperands operands = grid_.moving.operands(stationary, r, c);
  const auto sum_of = [&](const Expr& row) {
    return row.part(c * grid_.pe.width(), grid_.pe.width());
  };
  const auto each_pe = [&](const Body& body) {
    return For(r, 0, height_, {For(c, 0, p.cols, body)});
  };
  Body body{
      For(r, 0, height_,
          grid_.moving.given(
              grid_.moving_in.part((first_ + r) * grid_.moving_bits, grid_.moving_bits), r, c)),
      For(c, 0, p.cols, {set(sums.at(c), sum_of(above))}),
      each_pe({set(sums.at(c), grid_.pe.accumulate(sums.at(c), grid_.pe.dot(operands, r, c)))}),
      For(c, 0, p.cols, {sum_of(psum_) <<= sums.at(c)})};
  if (grid_.pe.pipelined()) body.push_back(each_pe(grid_.pe.shift(operands, r, c)));
  body.push_back(For(r, 0, height_, grid_.moving.shift(r, c)));
  s.always_in_place(clock, {If(grid_.advance, body)}, "streaming",
                    "What streams: private to this block but for psum_q.");
}

void GatedRows::build_held(Scope& s, const Expr& clock) {
  const GridParameters& p = grid_.parameters;
  const Expr loading = rows_to_load(s);
  const auto flags = [&](const char* name, const char* note) {
    return s.reg_array(name, 1, {height_, p.cols + grid_.edge}, Storage::registers, note);
  };
  const Expr load_at = flags("load_at", "[c]: column c takes part in a load beat");
  const Expr switch_at =
      grid_.doubled ? flags("switch_at", "[c]: column c takes the next tile") : Expr(0);
  const Expr& r = r_;
  const Expr& c = c_;
  const auto elements = [&](const Expr& rows) {
    return rows.part((r * p.cols + c) * held_bits_, held_bits_);
  };
  Body row;
  const auto moved_by = [&](const Expr& flag_at, const Expr& given, const Expr& target,
                            const Expr& source) {
    row.push_back(For(c, 0, grid_.edge, {set(flag_at.at(r).at(c), given.at(first_ + r))}));
    row.push_back(
        For(c, 0, p.cols, {If(flag_at.at(r).at(c), {elements(target) <<= elements(source)})}));
    row.push_back(
        ForDown(c, 0, p.cols, {set(flag_at.at(r).at(c + grid_.edge), flag_at.at(r).at(c))}));
  };
  if (grid_.doubled) moved_by(switch_at, grid_.switch_in, active_, chain_);
  moved_by(load_at, grid_.load, chain_, loading);
  s.always_in_place(clock, {If(grid_.advance, {For(r, 0, height_, row)})}, "held",
                    "What is held: private to this block are the flags that move it.");
}

}  // namespace weft::rtl
