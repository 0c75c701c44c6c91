// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/reduction.h"

namespace weft::rtl {

using namespace hdl;

namespace {

/// a + b by carry selection: the upper half is there with and without a carry when the lower half
/// tells which. Mapping for area turns any tree of carries into a chain again, but not this.
Expr sum_of(Module& m, const Expr& a, const Expr& b, const Expr& width) {
  m.comment("The sum: the upper half is ready for either carry out of the lower one.");
  const Expr half = m.localparam("HALF", width / 2);
  const auto lower = [&](const Expr& x) { return zext(x(half - 1, 0), half + 1); };
  const auto upper = [&](const Expr& x) { return x(width - 1, half); };
  const Expr low = m.let("low", lower(a) + lower(b), "with its carry");
  const Expr high = m.let("high", upper(a) + upper(b));
  const Expr high_carried = m.let("high_carried", upper(a) + upper(b) + 1);
  return m.let("sum", cat({mux(low.at(half), high_carried, high), low(half - 1, 0)}));
}

/// a < b as signed numbers: what the highest bit says in which they differ.
Expr less_of(Module& m, const Expr& a, const Expr& b, const Expr& width, const Expr& levels) {
  m.comment("The comparison: level l has a node for each 2^l bits.");
  const Expr less = m.wire("less", 1, "a < b");
  m.generate_for("l", 0, levels + 1, "order_level", [&](Scope& s, const Expr& l) {
    const Expr count = s.localparam("COUNT", (width + (Expr(1) << l) - 1) >> l);
    const Expr differs = s.wire("differs", count);
    const Expr below = s.wire("below", count, "a is less, if they differ");
    s.generate_if(l == 0, "leaf", [&](Scope& t) {
       t.assign(differs, a ^ b);
       t.assign(below, cat({a.at(width - 1), b(width - 2, 0)}));
     }).otherwise("node", [&](Scope& t) {
      const Expr children = t.localparam("CHILDREN", (width + (Expr(1) << (l - 1)) - 1) >> (l - 1));
      const Expr differs_below = at_iteration(differs, {l - 1});
      const Expr below_below = at_iteration(below, {l - 1});
      t.generate_for("n", 0, count, "of", [&](Scope& u, const Expr& n) {
        u.generate_if(n * 2 + 1 < children, "pair", [&](Scope& v) {
           const Expr upper = differs_below.at(n * 2 + 1);
           v.assign(differs.at(n), upper | differs_below.at(n * 2));
           v.assign(below.at(n), mux(upper, below_below.at(n * 2 + 1), below_below.at(n * 2)));
         }).otherwise("single", [&](Scope& v) {
          v.assign(differs.at(n), differs_below.at(n * 2));
          v.assign(below.at(n), below_below.at(n * 2));
        });
      });
    });
    s.generate_if(l == levels, "root", [&](Scope& t) { t.assign(less, differs & below); });
  });
  return less;
}

}  // namespace

const Module& add_lane_operator(Design& design, const Shape& shape) {
  Module& m = design.add_module(
      shape.device.name + "_lane_operator",
      {.summary = "sum, minimum or maximum of two integers.",
       .description =
           "Two's complement; a sum wraps around. It has a cycle of its own in a reduction.",
       .latency = "combinational."});
  const Expr width = m.parameter("WIDTH", 32, "bits of a lane, >= 2");
  const Expr op = m.input("op_i", 2, "0 sum, 1 minimum, 2 maximum");
  const Expr a_valid = m.input("a_valid_i", 1, "a counts");
  const Expr a = m.input("a_i", width);
  const Expr b_valid = m.input("b_valid_i", 1, "b counts");
  const Expr b = m.input("b_i", width);
  const Expr y = m.output("y_o", width);
  const Expr levels = m.localparam("LEVELS", clog2(width));
  const Expr sum = sum_of(m, a, b, width);
  const Expr less = less_of(m, a, b, width, levels);
  const Expr adds = m.let("adds", a_valid & b_valid & (op == 0));
  const Expr pick_a = m.let("pick_a", ~b_valid | (a_valid & (less ^ op.at(1))));
  m.assign(y, mux(adds, sum, mux(pick_a, a, b)));
  m.finish();
  return m;
}

}  // namespace weft::rtl
