// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/modules.h"

namespace weft::rtl {

using namespace hdl;

Module& add_skew(Design& design, const arch::TensorArray& array) {
  ModuleDoc doc;
  doc.summary = "delays the lanes of a vector so that they enter or leave a systolic grid in step.";
  doc.diagram =
      "  lane 0  ----------------->      REVERSE = 0, STEP = 1\n"
      "  lane 1  --[ ]------------>\n"
      "  lane 2  --[ ]--[ ]------->\n"
      "  lane 3  --[ ]--[ ]--[ ]-->";
  doc.latency =
      "lane i leaves floor(i / STEP) cycles with advance_i high after it entered; with REVERSE = 1 "
      "floor((LANES - 1) / STEP) - floor(i / STEP) cycles.";
  Module& m = design.add_module(array.name + "_skew", doc);
  const Expr lanes = m.parameter("LANES", 2, "lanes of a vector, >= 1");
  const Expr width = m.parameter("WIDTH", 8, "bits of a lane, >= 1");
  const Expr step = m.parameter("STEP", 1, "lanes that share a delay, >= 1");
  const Expr reverse = m.parameter("REVERSE", 0, "1: the first lane waits longest");
  // A triangle of registers.
  m.grows({.parameter = "LANES", .degree = 2, .samples = {4, 10, 16}, .period = "STEP"});
  const Expr hops = m.localparam("HOPS", (lanes - 1) / step, "longest delay");

  const Expr clk = m.input("clk_i");
  const Expr advance = m.input("advance_i", 1, "all registers hold while low");
  const Expr data_i = m.input("data_i", lanes * width, "lane i at [i*WIDTH +: WIDTH]");
  const Expr data_o = m.output("data_o", lanes * width);

  m.generate_if(hops == 0, "straight", [&](Scope& s) {
     s.unused("unused_clock", {clk, advance}, "nothing is delayed");
     s.assign(data_o, data_i);
   }).otherwise("delayed", [&](Scope& s) {
    const Expr first =
        s.localparam("FIRST", mux(reverse == 1, Expr(0), step), "delayed lanes: FIRST");
    const Expr end = s.localparam("END", mux(reverse == 1, hops * step, lanes), ".. END - 1");
    const Function depth = s.integer_function("depth", [&](FunctionBuilder& f) -> Body {
      const Expr lane = f.integer_input("lane");
      return {set(f.result(), mux(reverse == 1, hops - lane / step, lane / step))};
    });
    const Expr line = s.reg_array("line_at", width, {hops, lanes}, Storage::registers,
                                  "[k]: delayed by k cycles");
    const Expr data = s.reg("data_q", (end - first) * width, "the last stage of each lane");
    const Expr i = m.loop_variable("i");
    const Expr k = m.loop_variable("k");
    s.always_in_place(
        clk,
        {If(advance,
            {For(i, 0, lanes, {set(line.at(0).at(i), data_i.part(i * width, width))}),
             For(i, first, end,
                 {data.part((i - first) * width, width) <<= line.at(depth({i}) - 1).at(i)}),
             ForDown(k, 1, hops,
                     {For(i, 0, lanes, {set(line.at(k).at(i), line.at(k - 1).at(i))})})})},
        "shift",
        "Updated in place, the oldest stage first; stages that no lane reads go in synthesis.");
    s.generate_if(reverse == 1, "last_lane_direct", [&](Scope& t) {
       t.assign(data_o, cat({data_i(lanes * width - 1, end * width), data}));
     }).otherwise("first_lane_direct", [&](Scope& t) {
      t.assign(data_o, cat({data, data_i(first * width - 1, 0)}));
    });
  });
  m.finish();
  return m;
}

}  // namespace weft::rtl
