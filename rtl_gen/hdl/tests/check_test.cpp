// SPDX-License-Identifier: Apache-2.0
// Every check fires on the fault that it is for, and says what and where.
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "rtl_gen/hdl/hdl.h"
#include "rtl_gen/hdl/names.h"

namespace weft::rtl::hdl::test {
namespace {

/// A module with something of each kind, to which a case adds its fault.
struct Fixture {
  Design design;
  Module& m = design.add_module("dut");
  Expr W = m.parameter("WIDTH", 8);
  Expr N = m.parameter("ROWS", 4);
  Expr clk = m.input("clk_i");
  Expr en = m.input("en_i");
  Expr a = m.input("a_i", W);
  Expr b = m.input("b_i", W);
  Expr narrow = m.input("narrow_i", 4);
  Expr s = m.input("s_i", sgn(8));
  Expr y = m.output("y_o", W);
  Expr q = m.reg("data_q", W);
  Expr i = m.loop_variable("i");

  /// Drives data_q and finishes: what remains wrong is the fault.
  void finish() {
    m.always_ff(clk, {q <<= a});
    m.finish();
  }

  /// A finished module to instantiate: WIDTH, data_i, data_o.
  const Module& child() {
    Module& c = design.add_module("child");
    const Expr width = c.parameter("WIDTH", 8);
    const Expr in = c.input("data_i", width);
    c.assign(c.output("data_o", width), ~in);
    c.finish();
    return c;
  }
};

struct Fault {
  const char* name;
  const char* message;  ///< part of what the error says
  std::function<void(Fixture&)> fault;
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) { return out << fault.name; }

class Check : public testing::TestWithParam<Fault> {};

TEST_P(Check, Fires) {
  Fixture f;
  try {
    GetParam().fault(f);
    FAIL() << "accepted";
  } catch (const HdlError& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Names, Check,
    testing::Values(
        Fault{"PortByLocalparam", "port late_i: its width uses the localparam WIDE",
              [](Fixture& f) {
                const Expr wide = f.m.localparam("WIDE", 2 * f.W);
                f.m.input("late_i", wide);
              }},
        Fault{"Twice", "module dut: the name data_q is declared twice",
              [](Fixture& f) { f.m.wire("data_q", 1); }},
        Fault{"TwiceInnerScope", "the name data_q is declared twice",
              [](Fixture& f) {
                f.m.generate_if(f.N > 1, "many", [](Scope& s) { s.wire("data_q", 1); });
              }},
        Fault{"Keyword", "'reg' is a keyword", [](Fixture& f) { f.m.wire("reg", 1); }},
        Fault{"SystemVerilogKeyword", "'logic' is a keyword",
              [](Fixture& f) { f.m.wire("logic", 1); }},
        Fault{"NoIdentifier", "'2x' is not a simple", [](Fixture& f) { f.m.wire("2x", 1); }},
        Fault{"ModuleTwice", "module dut is declared twice",
              [](Fixture& f) { f.design.add_module("dut"); }},
        Fault{"OtherModule", "assign y_o: foreign is not declared",
              [](Fixture& f) {
                Module other("other");
                f.m.assign(f.y, other.wire("foreign", 8));
              }},
        Fault{"OtherScope", "inner is not declared in this scope",
              [](Fixture& f) {
                std::optional<Expr> inner;
                f.m.generate_if(f.N > 1, "many", [&](Scope& s) { inner = s.wire("inner", f.W); });
                f.m.assign(f.y, *inner);
              }},
        Fault{"GenvarOutside", "genvar r is used outside its loop",
              [](Fixture& f) {
                std::optional<Expr> genvar;
                f.m.generate_for("r", 0, f.N, "row", [&](Scope&, const Expr& r) { genvar = r; });
                f.m.assign(f.y.at(*genvar), f.en);
              }},
        Fault{"LoopVariableOutside", "i is used outside a for statement",
              [](Fixture& f) { f.m.always_ff(f.clk, {f.q.at(f.i) <<= f.en}); }},
        Fault{"GenvarNested", "genvar r is already in use",
              [](Fixture& f) {
                f.m.generate_for("r", 0, f.N, "row", [&](Scope& row, const Expr&) {
                  row.generate_for("r", 0, f.N, "col", [](Scope&, const Expr&) {});
                });
              }},
        Fault{"IterationTooFar", "more indices than generate loops",
              [](Fixture& f) {
                f.m.generate_for("r", 0, f.N, "row", [&](Scope& row, const Expr& r) {
                  at_iteration(row.wire("w", 1), {r, r});
                });
              }},
        Fault{"IterationOutside", "iteration -1 is outside 0..3 in row[r-1].w",
              [](Fixture& f) {
                f.m.generate_for("r", 0, f.N, "row", [&](Scope& row, const Expr& r) {
                  const Expr w = row.wire("w", 1);
                  row.assign(w, at_iteration(w, {r - 1}));
                });
              }},
        Fault{"Finished", "comes too late", [](Fixture& f) {
                const Module& child = f.child();
                const_cast<Module&>(child).wire("late", 1);
              }}));

INSTANTIATE_TEST_SUITE_P(
    Widths, Check,
    testing::Values(
        Fault{"Assign",
              "y_o has 8 bits, the value assigned to it 4: narrow_i (at WIDTH = 8, ROWS = 4)",
              [](Fixture& f) { f.m.assign(f.y, f.narrow); }},
        Fault{"Operator", "operands of 8 and 4 bits in a_i + narrow_i",
              [](Fixture& f) { f.m.assign(f.y, f.a + f.narrow); }},
        Fault{"Comparison", "operands of 8 and 4 bits",
              [](Fixture& f) { f.m.let("x", f.a == f.narrow); }},
        Fault{"Conditional", "operands of 8 and 4 bits",
              [](Fixture& f) { f.m.assign(f.y, mux(f.en, f.a, f.narrow)); }},
        Fault{"Condition", "a condition of 4 bits",
              [](Fixture& f) { f.m.assign(f.y, mux(f.narrow, f.a, f.b)); }},
        Fault{"IfCondition", "a condition of 4 bits",
              [](Fixture& f) { f.m.always_ff(f.clk, {If(f.narrow, {f.q <<= f.a})}); }},
        Fault{"Procedural", "data_q has 8 bits",
              [](Fixture& f) { f.m.always_ff(f.clk, {f.q <<= f.narrow}); }},
        Fault{"CaseLabel", "case label",
              [](Fixture& f) {
                f.m.always_ff(f.clk,
                              {Case(f.narrow).when({f.W == 8}, {f.q <<= f.a}).otherwise({})});
              }},
        Fault{"RangeOutside", "bits [8:1] of 8 bits",
              [](Fixture& f) { f.m.assign(f.y, f.a(8, 1)); }},
        Fault{"BitOutside", "index 8 (of 1) is outside 0..7",
              [](Fixture& f) { f.m.let("x", f.a.at(8)); }},
        Fault{"PartOutside", "index 6 (of 4) is outside 0..7",
              [](Fixture& f) { f.m.let("x", f.a.part(6, 4)); }},
        Fault{"ElementOutside", "index 4 (of 1) is outside 0..3",
              [](Fixture& f) {
                const Expr mem = f.m.reg_array("mem_q", f.W, {f.N}, Storage::memory);
                f.m.assign(f.y, mem.at(f.N));
              }},
        Fault{"IndexWidth", "an index of 4 bits where 3 are needed in a_i[narrow_i]",
              [](Fixture& f) { f.m.let("x", f.a.at(f.narrow)); }},
        Fault{"LoopIndexOutside", "index 8 (of 1) is outside 0..7",
              [](Fixture& f) {
                f.m.always_ff(f.clk, {For(f.i, 0, f.W, {f.q.at(f.i + 1) <<= f.en})}, "loop");
              }},
        Fault{"GenerateLastIteration", "outside 0..7",
              [](Fixture& f) {
                f.m.generate_for("r", 0, f.N, "row", [&](Scope& row, const Expr& r) {
                  row.assign(f.y.part(r * 2 + 1, 2), f.a.part(r * 2, 2));
                });
              }},
        Fault{"LiteralTooBig", "16 does not fit 4 unsigned bits",
              [](Fixture& f) { f.m.let("x", f.narrow == 16); }},
        Fault{"SignedLiteralTooBig", "128 does not fit 8 signed bits",
              [](Fixture& f) { f.m.let("x", f.s == 128); }},
        Fault{"FitTooBig", "WIDTH[2:0]", [](Fixture& f) { f.m.let("x", fit(f.W, 3)); }},
        Fault{"ConstantTooBig", "9 does not fit 3 unsigned bits",
              [](Fixture& f) { f.m.constant("NINE", 3, f.W + 1); }},
        Fault{"NegativeWidth", "is 0 bits wide", [](Fixture& f) { f.m.wire("none", f.W - 8); }},
        Fault{"NegativeReplication", "-4 replications",
              [](Fixture& f) { f.m.let("x", zext(f.a, 4)); }},
        Fault{"CallArgument", "function twice takes 8",
              [](Fixture& f) {
                const Function twice = f.m.function("twice", f.W, [&](FunctionBuilder& b) {
                  const Expr x = b.input("x", f.W);
                  return Body{set(b.result(), x + x)};
                });
                f.m.assign(f.y, twice({f.narrow}));
              }},
        Fault{"ConstantComparison", "always has the same result",
              [](Fixture& f) { f.m.let("x", f.a >= 0); }},
        Fault{"OtherSize", "at WIDTH = 9", [](Fixture& f) {
                Module& m = f.design.add_module("fixed");
                const Expr width = m.parameter("WIDTH", 8);
                m.assign(m.output("y_o", width), m.input("x_i", 8));
                m.finish();
                m.check({{"WIDTH", 9}});
              }}));

INSTANTIATE_TEST_SUITE_P(
    Types, Check,
    testing::Values(
        Fault{"SignMix", "signed and unsigned operands are mixed", [](Fixture& f) { f.a + f.s; }},
        Fault{"SignMixConditional", "signed and unsigned branches",
              [](Fixture& f) { mux(f.en, f.a, f.s); }},
        Fault{"IntegerBesideBits", "must be bits, not an integer", [](Fixture& f) { f.a + f.W; }},
        Fault{"IntegerInConcatenation", "must be bits, not an integer",
              [](Fixture& f) {
                cat({f.a, 0});
              }},
        Fault{"IntegerAssigned", "one is bits, the other is not",
              [](Fixture& f) { f.m.assign(f.y, f.W); }},
        Fault{"IntegerCondition", "must be bits", [](Fixture& f) { mux(f.W, f.a, f.b); }},
        Fault{"VariableRange", "must be constant", [](Fixture& f) { f.a(f.i, 0); }},
        Fault{"SelectOfExpression", "only bits of a name",
              [](Fixture& f) { (void)(f.a + f.b).at(0); }},
        Fault{"SelectOfScalar", "a scalar has no bits", [](Fixture& f) { (void)f.en.at(0); }},
        Fault{"SignedIndex", "must be an integer or unsigned",
              [](Fixture& f) { (void)f.a.at(f.s); }},
        Fault{"ArrayAsValue", "array",
              [](Fixture& f) { f.a + f.m.wire_array("list", f.W, {f.N}); }},
        Fault{"VariableLocalparam", "must be a constant integer",
              [](Fixture& f) { f.m.localparam("P", f.i); }},
        Fault{"FitOfSum", "needs a named integer", [](Fixture& f) { fit(f.W + 1, 8); }},
        Fault{"GenerateCondition", "must be a constant comparison",
              [](Fixture& f) { f.m.generate_if(f.en, "x", [](Scope&) {}); }}));

INSTANTIATE_TEST_SUITE_P(
    Drivers, Check,
    testing::Values(
        Fault{"TwoAssigns", "y_o has more than one driver",
              [](Fixture& f) {
                f.m.assign(f.y, f.a);
                f.m.assign(f.y, f.b);
                f.finish();
              }},
        Fault{"OverlappingSlices", "y_o[4:3] has more than one driver",
              [](Fixture& f) {
                f.m.assign(f.y(3, 0), f.a(3, 0));
                f.m.assign(f.y(4, 3), f.a(4, 3));
                f.finish();
              }},
        Fault{"OverlappingIterations", "more than one driver",
              [](Fixture& f) {
                f.m.generate_for("r", 0, f.N, "row", [&](Scope& row, const Expr& r) {
                  row.assign(f.y.part(r, 2), f.a.part(r, 2));
                });
                f.finish();
              }},
        Fault{"TwoAlways", "data_q has more than one driver",
              [](Fixture& f) {
                f.m.always_ff(f.clk, {f.q <<= f.a});
                f.m.always_ff(f.clk, {f.q <<= f.b});
                f.m.finish();
              }},
        Fault{"AssignToReg", "reg data_q is driven as a wire",
              [](Fixture& f) { f.m.assign(f.q, f.a); }},
        Fault{"AlwaysOnWire", "y_o is no reg",
              [](Fixture& f) { f.m.always_ff(f.clk, {f.y <<= f.a}); }},
        Fault{"Input", "input a_i is driven inside", [](Fixture& f) { f.m.assign(f.a, f.b); }},
        Fault{"Expression", "cannot be assigned", [](Fixture& f) { f.m.assign(~f.y, f.b); }},
        Fault{"Definition", "has its value already",
              [](Fixture& f) { f.m.assign(f.m.let("x", f.a), f.b); }},
        Fault{"InstanceOnDriven", "y_o has more than one driver",
              [](Fixture& f) {
                f.m.assign(f.y, f.a);
                f.m.instance("u_child", f.child(), {{"WIDTH", f.W}},
                             {{"data_i", f.b}, {"data_o", f.y}});
                f.finish();
              }},
        Fault{"Undriven", "y_o (bit 4 of 8) is not driven",
              [](Fixture& f) {
                f.m.assign(f.y(3, 0), f.narrow);
                f.m.unused("unused_q", {f.q});
                f.finish();
              }},
        Fault{"UndrivenElement", "list (element 2, bit 0) is not driven",
              [](Fixture& f) {
                const Expr list = f.m.wire_array("list", f.W, {3});
                f.m.assign(list.at(0), f.a);
                f.m.assign(list.at(1), f.b);
                f.m.assign(f.y, list.at(0) ^ list.at(1) ^ list.at(2));
                f.finish();
              }},
        Fault{"Unused", "x (bit 0 of 8) is not used",
              [](Fixture& f) {
                f.m.let("x", f.a);
                f.m.assign(f.y, f.q);
                f.finish();
              }},
        Fault{"UnusedBit", "b_i (bit 7 of 8) is not used",
              [](Fixture& f) {
                f.m.assign(f.y, f.q & cat({f.en, f.b(6, 0)}));
                f.finish();
              }},
        Fault{"UnusedParameter", "parameter ROWS is not used",
              [](Fixture& f) {
                f.m.assign(f.y, f.q & f.b & to_unsigned(f.s));
                f.m.unused("unused_rest", {f.en, f.narrow});
                f.finish();
              }},
        Fault{"UnusedLocalparam", "localparam HALF is not used", [](Fixture& f) {
                Module& m = f.design.add_module("tiny");
                m.localparam("HALF", 4);
                m.finish();
              }}));

INSTANTIATE_TEST_SUITE_P(
    Blocks, Check,
    testing::Values(
        Fault{"BlockingInClocked", "a blocking assignment to data_q; here all are nonblocking",
              [](Fixture& f) { f.m.always_ff(f.clk, {set(f.q, f.a)}); }},
        Fault{"NonblockingInComb", "here all are blocking",
              [](Fixture& f) { f.m.always_comb({f.q <<= f.a}); }},
        Fault{"Latch", "data_q keeps its value on some path",
              [](Fixture& f) { f.m.always_comb({If(f.en, {set(f.q, f.a)})}); }},
        Fault{"CaseWithoutDefault", "says not what happens otherwise",
              [](Fixture& f) { f.m.always_ff(f.clk, {Case(f.narrow).when({1}, {f.q <<= f.a})}); }},
        Fault{"ArrayInComb", "@* cannot watch array mem_q",
              [](Fixture& f) {
                const Expr mem = f.m.reg_array("mem_q", f.W, {f.N}, Storage::memory);
                f.m.always_comb({set(f.q, mem.at(0) ^ f.a)});
              }},
        Fault{"CombReadsNothing", "would never run",
              [](Fixture& f) { f.m.always_comb({set(f.q, 0)}); }},
        Fault{"LoopWithoutName", "needs a name",
              [](Fixture& f) { f.m.always_ff(f.clk, {For(f.i, 0, f.W, {f.q.at(f.i) <<= f.en})}); }},
        Fault{"ClockExpression", "a clock must be a signal",
              [](Fixture& f) { f.m.always_ff(~f.clk, {f.q <<= f.a}); }},
        Fault{"FunctionWithoutResult", "has no result on some path",
              [](Fixture& f) {
                f.m.function("f", f.W, [&](FunctionBuilder& b) {
                  const Expr x = b.input("x", f.W);
                  return Body{If(any(x), {set(b.result(), x)})};
                });
              }},
        Fault{"FunctionReadsSignal", "reads signal a_i",
              [](Fixture& f) {
                f.m.function("f", f.W, [&](FunctionBuilder& b) {
                  return Body{set(b.result(), b.input("x", f.W) & f.a)};
                });
              }},
        Fault{"ElseTwice", "a second else_",
              [](Fixture& f) { If(f.en, {f.q <<= f.a}).else_({}).else_({}); }},
        Fault{"Requirement", "does not hold",
              [](Fixture& f) { f.m.require(f.W > 8, "WIDTH_must_be_above_8"); }}));

void connect(Fixture& f, std::vector<Connection> parameters, std::vector<Connection> ports) {
  f.m.instance("u_child", f.child(), std::move(parameters), std::move(ports));
}

INSTANTIATE_TEST_SUITE_P(
    Instances, Check,
    testing::Values(Fault{"UnknownPort", "module child has no port other_i",
                          [](Fixture& f) {
                            connect(f, {}, {{"other_i", f.a}});
                          }},
                    Fault{"UnknownParameter", "module child has no parameter DEPTH",
                          [](Fixture& f) {
                            connect(f, {{"DEPTH", 3}}, {});
                          }},
                    Fault{"Unconnected", "port data_i is not connected",
                          [](Fixture& f) {
                            connect(f, {}, {{"data_o", f.y}});
                          }},
                    Fault{"ConnectedTwice", "port data_i is connected twice",
                          [](Fixture& f) {
                            connect(f, {}, {{"data_i", f.a}, {"data_i", f.b}});
                          }},
                    Fault{"PortWidth", "port data_i has 4 bits, a_i has 8",
                          [](Fixture& f) {
                            connect(f, {{"WIDTH", 4}}, {{"data_i", f.a}, {"data_o", f.y}});
                          }},
                    Fault{"OutputToReg", "reg data_q is driven as a wire",
                          [](Fixture& f) {
                            connect(f, {}, {{"data_i", f.a}, {"data_o", f.q}});
                          }},
                    Fault{"ParameterNotConstant", "needs a constant integer",
                          [](Fixture& f) {
                            connect(f, {{"WIDTH", f.a}}, {});
                          }},
                    Fault{"NotFinished", "module open is not finished", [](Fixture& f) {
                            f.m.instance("u", f.design.add_module("open"), {}, {});
                          }}));

TEST(CheckAccepts, SlicesDrivenByIterationsAndDegenerateSizes) {
  Fixture f;
  f.m.generate_for("r", 0, f.N, "row", [&](Scope& row, const Expr& r) {
    row.assign(f.y.part(r * 2, 2), f.a.part(r * 2, 2) ^ f.q.part(r * 2, 2));
  });
  f.m.always_ff(f.clk, {If(f.en & any(f.narrow), {f.q <<= f.b ^ to_unsigned(f.s)})});
  EXPECT_NO_THROW(f.m.finish());
  EXPECT_THROW(f.m.check({{"ROWS", 3}}), HdlError);  // bits 6 and 7 are not driven
}

/// An array that a clocked block shifts in place, and what leaves it.
struct InPlace : Fixture {
  Expr line = m.reg_array("line_q", W, {N}, Storage::registers);
  Stmt shift = ForDown(i, 1, N, {set(line.at(i), line.at(i - 1))});

  void block(Body body) { m.always_in_place(clk, std::move(body), "shift", "In place."); }
};

std::string what_finish_says(InPlace& f) {
  f.m.assign(f.y, f.q);
  f.m.unused("unused_inputs", {f.en, f.b, f.narrow, to_unsigned(f.s)});
  try {
    f.m.finish();
  } catch (const HdlError& error) {
    return error.what();
  }
  return "";
}

TEST(InPlaceBlock, PrintsItsLoopDownwardsUnderThePragma) {
  InPlace f;
  f.block({f.shift, set(f.line.at(0), f.a), f.q <<= f.line.at(f.N - 1)});
  EXPECT_EQ(what_finish_says(f), "");
  const std::string text = to_verilog(f.m);
  EXPECT_NE(text.find("for (i = ROWS - 1; i >= 1; i = i - 1) line_q[i] = line_q[i-1];"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("// verilator lint_off BLKSEQ"), std::string::npos);
}

TEST(InPlaceBlock, KeepsItsArraysToItself) {
  InPlace fine;
  fine.block({fine.shift, set(fine.line.at(0), fine.a), fine.q <<= fine.line.at(fine.N - 1)});
  EXPECT_EQ(what_finish_says(fine), "");

  InPlace read_outside;
  read_outside.block({read_outside.shift, set(read_outside.line.at(0), read_outside.a)});
  read_outside.m.always_ff(read_outside.clk, {read_outside.q <<= read_outside.line.at(0)});
  EXPECT_NE(what_finish_says(read_outside).find("line_q is private"), std::string::npos);

  InPlace no_array;
  no_array.block(
      {no_array.shift, set(no_array.line.at(0), no_array.a), set(no_array.q, no_array.a)});
  EXPECT_NE(what_finish_says(no_array).find("data_q is no array"), std::string::npos);

  InPlace both_ways;
  both_ways.block({both_ways.shift, both_ways.line.at(0) <<= both_ways.a,
                   both_ways.q <<= both_ways.line.at(both_ways.N - 1)});
  EXPECT_NE(what_finish_says(both_ways).find("line_q is assigned in both ways"), std::string::npos);
}

}  // namespace
}  // namespace weft::rtl::hdl::test
