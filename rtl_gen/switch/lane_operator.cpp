// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/reduction.h"

namespace weft::rtl {

using namespace hdl;

namespace {

/// a + b, with carries by prefix sums (J. Sklansky, "Conditional-sum addition logic", 1960): after
/// level l a bit knows the carry out of it from the first bit of its group of 2^l on.
Expr sum_of(Module& m, const Expr& a, const Expr& b, const Expr& width, const Expr& levels) {
  m.comment("The sum: after level l each bit knows what its group of 2^l bits carries up to it.");
  const Expr differ = m.let("differ", a ^ b);
  const Expr sum = m.wire("sum", width);
  m.generate_for("l", 0, levels + 1, "carry_level", [&](Scope& s, const Expr& l) {
    const Expr makes = s.wire("makes", width, "a carry out of the bit, without one into the group");
    const Expr passes = s.wire("passes", width, "one into the group comes out of the bit");
    s.generate_if(l == 0, "leaf", [&](Scope& t) {
       t.assign(makes, a & b);
       t.assign(passes, differ);
     }).otherwise("node", [&](Scope& t) {
      const Expr half = t.localparam("HALF", Expr(1) << (l - 1));
      const Expr makes_below = at_iteration(makes, {l - 1});
      const Expr passes_below = at_iteration(passes, {l - 1});
      t.generate_for("k", 0, width, "bit_of", [&](Scope& u, const Expr& k) {
        u.generate_if((k / half) % 2 == 1, "upper", [&](Scope& v) {
           const Expr last = v.localparam("LAST", (k / half) * half - 1, "bit of the lower half");
           v.assign(makes.at(k), makes_below.at(k) | (passes_below.at(k) & makes_below.at(last)));
           v.assign(passes.at(k), passes_below.at(k) & passes_below.at(last));
         }).otherwise("lower", [&](Scope& v) {
          v.assign(makes.at(k), makes_below.at(k));
          v.assign(passes.at(k), passes_below.at(k));
        });
      });
    });
    s.generate_if(l == levels, "root", [&](Scope& t) {
      t.assign(sum, differ ^ cat({makes(width - 2, 0), bin(1, 0)}));
      t.unused("unused_carries", {makes.at(width - 1), passes},
               "nothing comes in, nothing goes out");
    });
  });
  return sum;
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
           "Two's complement; a sum wraps around. Carries and comparison are trees: a level of "
           "reductions is a cycle, and must not be longer than others.",
       .latency = "combinational, about 2 * log2(WIDTH) gates deep."});
  const Expr width = m.parameter("WIDTH", 32, "bits of a lane, >= 2");
  const Expr op = m.input("op_i", 2, "0 sum, 1 minimum, 2 maximum");
  const Expr a_valid = m.input("a_valid_i", 1, "a counts");
  const Expr a = m.input("a_i", width);
  const Expr b_valid = m.input("b_valid_i", 1, "b counts");
  const Expr b = m.input("b_i", width);
  const Expr y = m.output("y_o", width);
  const Expr levels = m.localparam("LEVELS", clog2(width));
  const Expr sum = sum_of(m, a, b, width, levels);
  const Expr less = less_of(m, a, b, width, levels);
  const Expr adds = m.let("adds", a_valid & b_valid & (op == 0));
  const Expr pick_a = m.let("pick_a", ~b_valid | (a_valid & (less ^ op.at(1))));
  m.assign(y, mux(adds, sum, mux(pick_a, a, b)));
  m.finish();
  return m;
}

}  // namespace weft::rtl
