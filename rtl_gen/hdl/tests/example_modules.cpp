// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/tests/example_modules.h"

namespace weft::rtl::hdl::test {

Module& add_skid_buffer(Design& design) {
  Module& m = design.add_module(
      "example_skid_buffer",
      {.summary = "registered valid/ready stage that never loses a beat.",
       .description =
           "ready_o depends on registers only. One beat may arrive in the cycle in which the "
           "consumer stalls; it waits in the skid register.",
       .diagram = "            +--------+      +--------+\n"
                  "  data_i -->|  skid  |--+-->|  data  |--> data_o\n"
                  "            +--------+      +--------+",
       .latency = "a beat accepted in cycle t is offered in cycle t + 1; capacity is two beats."});
  const Expr width = m.parameter("WIDTH", 8, "bits of a beat, >= 1");
  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low; control only");
  m.port_group();
  const Expr valid_in = m.input("valid_i", 1, "must not wait for ready_o");
  const Expr ready_out = m.output("ready_o");
  const Expr data_in = m.input("data_i", width);
  m.port_group();
  const Expr valid_out = m.output("valid_o", 1, "holds, with data_o stable, until ready_i");
  const Expr ready_in = m.input("ready_i");
  const Expr data_out = m.output("data_o", width);

  m.require(width >= 1, "WIDTH_must_be_at_least_1");
  const Expr data_valid = m.reg("data_valid_q", 1);
  const Expr skid_valid = m.reg("skid_valid_q", 1);
  const Expr data = m.reg("data_q", width);
  const Expr skid = m.reg("skid_q", width);
  const Expr accept = m.let("accept", valid_in & ready_out, "a beat enters");
  const Expr advance =
      m.let("advance", ready_in | ~data_valid, "the output register may take a new beat");
  m.assign(ready_out, ~skid_valid);
  m.assign(valid_out, data_valid);
  m.assign(data_out, data);
  m.always_ff(clk,
              {If(!rst_n, {data_valid <<= 0, skid_valid <<= 0})
                   .else_if(advance, {data_valid <<= skid_valid | accept,
                                      (skid_valid <<= 0).note("whatever waited has moved on")})
                   .else_if(accept, {(skid_valid <<= 1).note("consumer stalled: park the beat")})});
  m.comment("Data needs no reset: it is read only under its valid bit.");
  m.always_ff(clk, {If(advance, {data <<= mux(skid_valid, skid, data_in)}),
                    If(accept & ~advance, {skid <<= data_in})});
  m.finish();
  return m;
}

Module& add_fifo(Design& design) {
  Module& m = design.add_module("example_fifo", {.summary = "first-word-fall-through FIFO."});
  const Expr depth = m.parameter("DEPTH", 6, "beats, >= 2");
  const Expr width = m.parameter("WIDTH", 8, "bits of a beat, >= 1");
  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni");
  m.port_group("Input stream");
  const Expr valid_in = m.input("valid_i");
  const Expr ready_out = m.output("ready_o");
  const Expr data_in = m.input("data_i", width);
  m.port_group("Output stream");
  const Expr valid_out = m.output("valid_o");
  const Expr ready_in = m.input("ready_i");
  const Expr data_out = m.output("data_o", width);

  m.require(depth >= 2 && width >= 1, "DEPTH_must_be_at_least_2_and_WIDTH_1");
  const Expr pointer_width = m.localparam("POINTER_WIDTH", clog2(depth));
  const Expr count_width = m.localparam("COUNT_WIDTH", clog2(depth + 1));
  const Expr last = m.constant("LAST", pointer_width, depth - 1, "DEPTH is no power of two");
  const Expr full = m.constant("FULL", count_width, depth);

  const Expr memory = m.reg_array("memory_q", width, {depth}, Storage::memory);
  const Expr read = m.reg("read_q", pointer_width);
  const Expr write = m.reg("write_q", pointer_width);
  const Expr count = m.reg("count_q", count_width);
  const Expr push = m.let("push", valid_in & ready_out);
  const Expr pop = m.let("pop", valid_out & ready_in);
  const auto wrap = m.function("next", pointer_width, [&](FunctionBuilder& f) {
    const Expr pointer = f.input("pointer", pointer_width);
    return Body{set(f.result(), mux(pointer == last, 0, pointer + 1))};
  });
  m.assign(ready_out, count != full);
  m.assign(valid_out, count != 0);
  m.assign(data_out, memory.at(read));
  m.always_ff(clk,
              {If(!rst_n, {read <<= 0, write <<= 0, count <<= 0})
                   .else_({If(push, {write <<= wrap({write})}), If(pop, {read <<= wrap({read})}),
                           If(push & ~pop, {count <<= count + 1})
                               .else_if(pop & ~push, {count <<= count - 1})})});
  m.always_ff(clk, {If(push, {memory.at(write) <<= data_in})});
  m.finish();
  return m;
}

Module& add_skew(Design& design) {
  Module& m =
      design.add_module("example_skew", {.summary = "delays lane r of a vector by r cycles.",
                                         .latency = "lane r leaves r cycles after it entered."});
  const Expr rows = m.parameter("ROWS", 4, "lanes, >= 1");
  const Expr width = m.parameter("WIDTH", 8, "bits of a lane, >= 1");
  const Expr clk = m.input("clk_i");
  const Expr enable = m.input("enable_i", 1, "the array advances");
  const Expr data = m.input("data_i", rows * width, "lane r at [r*WIDTH +: WIDTH]");
  const Expr out = m.output("data_o", rows * width);
  m.require(rows >= 1, "ROWS_must_be_at_least_1");
  const Expr i = m.loop_variable("i");
  m.generate_for("r", 0, rows, "row", [&](Scope& row, const Expr& r) {
    const Expr lane = row.let("lane", data.part(r * width, width));
    row.generate_if(r == 0, "first", [&](Scope& s) { s.assign(out.part(r * width, width), lane); })
        .otherwise("delayed", [&](Scope& s) {
          s.comment("Index k after k + 1 cycles.");
          const Expr pipe = s.reg_array("pipe_q", width, {r}, Storage::registers);
          s.always_ff(
              clk,
              {If(enable, {pipe.at(0) <<= lane, For(i, 1, r, {pipe.at(i) <<= pipe.at(i - 1)})})},
              "shift");
          s.assign(out.part(r * width, width), pipe.at(r - 1));
        });
  });
  m.finish();
  return m;
}

Module& add_grid(Design& design) {
  const Module& skew = add_skew(design);
  Module& m = design.add_module("example_grid");
  const Expr rows = m.parameter("ROWS", 3, "rows");
  const Expr cols = m.parameter("COLS", 5, "columns");
  const Expr width = m.parameter("WIDTH", 4, "bits of an element, >= 2");
  const Expr clk = m.input("clk_i");
  const Expr mode = m.input("mode_i", 2);
  const Expr data = m.input("data_i", sgn(cols * width));
  const Expr sums = m.output("sums_o", rows * width);
  const Expr deepest = m.output("deepest_o", 8);
  const Expr flags = m.output_reg("flags_o", rows);

  const auto max_hops = m.integer_function("max_hops", [&](FunctionBuilder& f) {
    const Expr n = f.integer_input("n");
    const Expr i = f.integer("i");
    return Body{set(f.result(), 0),
                For(i, 0, n, {If(i - i / 2 > f.result(), {set(f.result(), i - i / 2)})})};
  });
  const Expr hops = m.localparam("HOPS", max_hops({rows}), "longest way down");
  m.assign(deepest, fit(hops, 8));
  const auto reversed = m.function("reversed", width, [&](FunctionBuilder& f) {
    const Expr value = f.input("value", width);
    const Expr i = f.integer("i");
    const Expr copy = f.variable("copy", width);
    return Body{set(copy, value),
                For(i, 0, width, {set(f.result().at(i), copy.at(width - 1 - i))})};
  });

  const Expr skewed = m.wire_array("skewed", cols * width, {rows}, "one copy of the input a row");
  m.generate_for("r", 0, rows, "copy", [&](Scope& s, const Expr& r) {
    s.instance(
        "u_skew", skew, {{"ROWS", cols}, {"WIDTH", width}},
        {{"clk_i", clk}, {"enable_i", mode != 3}, {"data_i", data}, {"data_o", skewed.at(r)}});
  });
  const Expr i = m.loop_variable("i");
  const Expr j = m.loop_variable("j");
  const Expr grid = m.reg_array("grid_q", sgn(width), {rows, cols}, Storage::registers);
  m.always_ff(
      clk,
      {For(i, 0, rows,
           {For(j, 0, cols,
                {grid.at(i).at(j) <<= mux(i == 0, to_signed(skewed.at(0).part(j * width, width)),
                                          mux(i > 0, grid.at(i - 1).at(j), 0)) +
                                      to_signed(skewed.at(i).part(j * width, width))})})},
      "move");
  m.generate_for("r", 0, rows, "row", [&](Scope& row, const Expr& r) {
    row.generate_for("c", 0, cols, "col", [&](Scope& col, const Expr& c) {
      const Expr odd = col.localparam("ODD", c % 2);
      const Expr weight = col.constant("WEIGHT", sgn(width), odd, "alternating");
      const Expr term = col.let("term", asr(grid.at(r).at(c) * weight, 1));
      const Expr sum = col.wire("sum", sgn(width));
      col.generate_if(c == 0, "first", [&](Scope& s) { s.assign(sum, term); })
          .otherwise("next", [&](Scope& s) { s.assign(sum, at_iteration(sum, {c - 1}) + term); });
      col.generate_if(c == cols - 1, "last", [&](Scope& s) {
        s.assign(sums.part(r * width, width), reversed({to_unsigned(sum)}));
      });
    });
  });
  m.always_comb(
      {set(flags, 0),
       Case(mode)
           .when({0, 1}, {For(i, 0, rows, {set(flags.at(i), parity(sums.part(i * width, width)))})})
           .when({2}, {set(flags, ~flags)})
           .otherwise({set(flags.at(0), any(sums))})},
      "flag");
  m.finish();
  return m;
}

}  // namespace weft::rtl::hdl::test
