// SPDX-License-Identifier: Apache-2.0
// Printed expressions mean what their trees mean: Icarus Verilog evaluates the text, the reference
// evaluator the tree.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "rtl_gen/hdl/eval.h"
#include "rtl_gen/hdl/hdl.h"
#include "rtl_gen/hdl/tests/reference_eval.h"
#include "rtl_gen/hdl/tests/tool_run.h"
#include "rtl_gen/hdl/width_check.h"

namespace weft::rtl::hdl::test {
namespace {

std::uint32_t fresh_seed() {
  if (const char* const given = std::getenv("WEFT_TEST_SEED")) {
    return static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
  }
  return std::random_device()();
}

/// Draws expression trees over given signals.
class RandomExpr {
 public:
  /// `widths`: numbers of bits that may also be written as a parameter.
  RandomExpr(std::uint32_t seed, const Module& module, std::vector<Expr> signals,
             std::map<int, Expr> widths)
      : random_(seed), env_(module), signals_(std::move(signals)), widths_(std::move(widths)) {}

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  std::uint64_t pattern() { return random_() & 0xffffffffU; }

  /// Bits of the given width and signedness.
  Expr bits(int width, bool is_signed, int depth) {
    if (depth == 0) return leaf(width, is_signed);
    const auto same = [&] { return bits(width, is_signed, depth - 1); };
    if (width == 1 && !is_signed && pick(0, 2) != 0) return one_bit(depth);
    switch (pick(0, 17)) {
      case 0:
        return same() + same();
      case 1:
        return same() - same();
      case 2:
        return same() * same();
      case 3:
        return same() / same();
      case 4:
        return same() % same();
      case 5:
        return same() & same();
      case 6:
        return same() | same();
      case 7:
        return same() ^ same();
      case 8:
        return ~same();
      case 9:
        return -same();
      case 10:
        return same() << amount(depth);
      case 11:
        return same() >> amount(depth);
      case 12:
        return asr(same(), amount(depth));
      case 13:
        return mux(bits(1, false, depth - 1), same(), same());
      case 14:
        return same() + pick(0, width > 2 ? 3 : 1 - (is_signed && width == 1 ? 1 : 0));
      case 15:
        return is_signed ? to_signed(bits(width, false, depth - 1))
                         : to_unsigned(bits(width, true, depth - 1));
      case 16:
        return concatenation(width, is_signed, depth);
      default:
        return selection(width, is_signed, depth);
    }
  }

  /// Constant integers, small enough that nothing overflows.
  Expr integer(int depth, const std::vector<Expr>& names) {
    if (depth == 0) return pick(0, 1) == 0 ? Expr(pick(-3, 20)) : any_of(names);
    const auto next = [&] { return integer(depth - 1, names); };
    switch (pick(0, 8)) {
      case 0:
        return next() + next();
      case 1:
        return next() - next();
      case 2:
        return next() * (pick(0, 1) == 0 ? Expr(pick(-2, 3)) : any_of(names));
      case 3:
        return next() / pick(1, 5);
      case 4:
        return next() % pick(1, 5);
      case 5:
        return mux(next() < next(), next(), next());
      case 6:
        return mux(next() >= next() && (next() == next() || !(next() != next())), next(), next());
      case 7:
        return -next();
      default:
        return clog2(next() % 7 + 8);
    }
  }

 private:
  Expr any_of(const std::vector<Expr>& list) {
    return list[static_cast<std::size_t>(pick(0, static_cast<int>(list.size()) - 1))];
  }

  Expr amount(int depth) {
    return pick(0, 1) == 0 ? Expr(pick(0, 9)) : bits(pick(1, 4), false, depth - 1);
  }

  Expr leaf(int width, bool is_signed) {
    std::vector<Expr> matching;
    for (const Expr& s : signals_) {
      if (env_.width(s) == width && s.type().is_signed == is_signed) matching.push_back(s);
    }
    if (!matching.empty() && pick(0, 3) != 0) return any_of(matching);
    const std::int64_t half = std::int64_t{1} << (width - 1);
    const std::int64_t low = is_signed ? -half : 0;
    const std::int64_t value = low + static_cast<std::int64_t>(pattern()) % (2 * half);
    constexpr std::array bases = {Base::bin, Base::dec, Base::hex};
    const auto named = widths_.find(width);
    const Expr size = named != widths_.end() && pick(0, 1) == 0 ? named->second : Expr(width);
    return lit({size, is_signed}, value, bases.at(static_cast<std::size_t>(pick(0, 2))));
  }

  Expr one_bit(int depth) {
    const int width = pick(1, 8);
    const bool is_signed = pick(0, 1) == 0;
    const auto operand = [&] { return bits(width, is_signed, depth - 1); };
    const auto bit = [&] { return bits(1, false, depth - 1); };
    switch (pick(0, 12)) {
      case 0:
        return operand() < operand();
      case 1:
        return operand() <= operand();
      case 2:
        return operand() > operand();
      case 3:
        return operand() >= operand();
      case 4:
        return operand() == operand();
      case 5:
        return operand() != operand();
      case 6:
        return all(operand());
      case 7:
        return any(operand());
      case 8:
        return parity(operand());
      case 9:
        return bit() && bit();
      case 10:
        return bit() || bit();
      case 11:
        return !bit();
      default:
        return operand() == 0;
    }
  }

  Expr concatenation(int width, bool is_signed, int depth) {
    Expr joined = bits(width, false, depth - 1);
    if (width > 1) {
      const int high = pick(1, width - 1);
      joined =
          pick(0, 1) == 0
              ? cat({bits(high, pick(0, 1) == 0, depth - 1), bits(width - high, false, depth - 1)})
              : cat({rep(high, bits(1, false, depth - 1)), bits(width - high, true, depth - 1)});
    }
    return is_signed ? to_signed(joined) : joined;
  }

  Expr selection(int width, bool is_signed, int depth) {
    std::vector<Expr> wide;
    for (const Expr& s : signals_) {
      if (env_.width(s) > width) wide.push_back(s);
    }
    if (wide.empty()) return bits(width, is_signed, depth - 1);
    const Expr base = any_of(wide);
    const int low = pick(0, static_cast<int>(env_.width(base)) - width);
    const Expr part = width == 1        ? base.at(low)
                      : pick(0, 1) == 0 ? base(low + width - 1, low)
                                        : base.part(low, width);
    return is_signed ? to_signed(part) : part;
  }

  std::mt19937 random_;
  Env env_;
  std::vector<Expr> signals_;
  std::map<int, Expr> widths_;
};

struct Inputs {
  explicit Inputs(Module& m) {
    for (const int width : {5, 8, 16}) {
      widths.emplace(width, m.parameter(fmt::format("W{}", width), width));
    }
    for (const int width : {1, 2, 3, 4, 5, 7, 8, 13, 16, 20}) {
      for (const bool is_signed : {false, true}) {
        const std::string name = fmt::format("{}{}_i", is_signed ? "s" : "u", width);
        signals.push_back(m.input(name, {width, is_signed}));
        const auto named = widths.find(width);
        if (named != widths.end())
          signals.push_back(m.input("w" + name, {named->second, is_signed}));
      }
    }
  }
  std::vector<Expr> signals;
  std::map<int, Expr> widths;
};

/// Some random trees compare with the end of a range, which the model refuses.
bool is_accepted(const Expr& tree, const Module& m) {
  try {
    Env env(m);
    checked_width(tree, env);
    return true;
  } catch (const HdlError&) {
    return false;
  }
}

TEST(ExprText, MeansWhatTheTreeMeans) {
  const std::uint32_t seed = fresh_seed();
  SCOPED_TRACE(fmt::format("WEFT_TEST_SEED={}", seed));
  constexpr int expressions = 400;
  constexpr int vectors = 12;

  Design design;
  Module& m = design.add_module("dut");
  const Inputs inputs(m);
  RandomExpr random(seed, m, inputs.signals, inputs.widths);
  std::vector<Expr> trees;
  while (trees.size() < expressions) {
    const Expr tree = random.bits(random.pick(1, 16), random.pick(0, 1) == 0, random.pick(1, 5));
    if (!is_accepted(tree, m)) continue;
    const Expr out =
        m.output(fmt::format("y{}_o", trees.size()), {width_of(tree), tree.type().is_signed});
    m.assign(out, tree);
    trees.push_back(tree);
  }
  m.unused("unused_inputs", inputs.signals);
  m.finish();

  // A narrow page, so that lines are broken wherever they can be.
  PrintOptions narrow;
  narrow.line_width = 40;
  std::string bench = "module bench;\n";
  std::string ports;
  for (const Object* port : m.ports()) {
    const bool is_input = port->kind == ObjectKind::input;
    const auto width = m.port_width(*port);
    bench += fmt::format("{} [{}:0] {};\n", is_input ? "reg" : "wire", width - 1, port->name);
    ports += fmt::format("{}.{}({})", ports.empty() ? "" : ", ", port->name, port->name);
  }
  bench += fmt::format("dut u_dut ({});\ninitial begin\n", ports);
  std::vector<Values> stimuli;
  for (int v = 0; v < vectors; ++v) {
    Values values;
    for (const Expr& signal : inputs.signals) {
      const auto width = m.port_width(*signal.node().object);
      const std::uint64_t ones = (std::uint64_t{1} << width) - 1;
      const std::uint64_t value = v == 0 ? 0 : v == 1 ? ones : random.pattern() & ones;
      values[signal.node().object] = value;
      bench += fmt::format("{} = {};\n", signal.node().object->name, value);
    }
    stimuli.push_back(values);
    bench += "#1;\n";
    for (int i = 0; i < expressions; ++i) bench += fmt::format("$display(\"%b\", y{}_o);\n", i);
  }
  bench += "end\nendmodule\n";

  const ScratchDirectory scratch;
  scratch.write("dut.v", design.render(narrow).at("dut.v"));
  scratch.write("bench.v", bench);
  const ToolRun lint =
      run(scratch.path(), "verilator --lint-only -Wno-lint -Wno-style -Wwarn-WIDTH dut.v");
  EXPECT_EQ(lint.status, 0) << lint.output.substr(0, 2000);
  EXPECT_EQ(lint.output, "");
  const ToolRun result = run(scratch.path(), "iverilog -g2005 -o sim bench.v dut.v && vvp -n sim");
  ASSERT_EQ(result.status, 0) << result.output.substr(0, 2000);
  std::istringstream lines(result.output);
  Env env(m);
  int compared = 0;
  for (const Values& values : stimuli) {
    for (const Expr& tree : trees) {
      std::string printed;
      ASSERT_TRUE(std::getline(lines, printed));
      const auto expected = reference_value(tree, values, env);
      if (!expected) continue;
      // An x can come from a branch or operand that does not matter to the reference; it is no
      // number.
      if (printed.find_first_not_of("01") != std::string::npos) {
        ADD_FAILURE() << printed << " instead of " << *expected << " from " << to_verilog(tree);
        continue;
      }
      ++compared;
      ASSERT_EQ(std::stoull(printed, nullptr, 2), *expected) << to_verilog(tree);
    }
  }
  EXPECT_GT(compared, expressions * vectors / 2);
}

TEST(ExprText, IntegersEvaluateAsInVerilog) {
  const std::uint32_t seed = fresh_seed();
  SCOPED_TRACE(fmt::format("WEFT_TEST_SEED={}", seed));
  Design design;
  Module& m = design.add_module("dut");
  const std::vector<Expr> parameters = {m.parameter("A", 7), m.parameter("B", 3),
                                        m.parameter("C", 12)};
  RandomExpr random(seed, m, {}, {});
  std::vector<Expr> trees;
  std::string displays;
  for (int i = 0; i < 300; ++i) {
    const Expr tree = random.integer(random.pick(1, 4), parameters);
    const Expr name = m.localparam(fmt::format("L{}", i), tree);
    trees.push_back(tree);
    m.let(fmt::format("unused_{}", i), name == 0);
    displays += fmt::format("$display(\"%0d\", u_dut.L{});\n", i);
  }
  m.let("unused_sum", parameters[0] + parameters[1] + parameters[2] == 0);
  m.finish();

  const ParameterValues values = {{"A", 5}, {"B", 9}, {"C", 2}};
  const ScratchDirectory scratch;
  scratch.write("dut.v", design.render().at("dut.v"));
  scratch.write("bench.v", fmt::format("module bench;\ndut #(.A(5), .B(9), .C(2)) u_dut ();\n"
                                       "initial begin\n{}end\nendmodule\n",
                                       displays));
  const ToolRun result = run(scratch.path(), "iverilog -g2005 -o sim bench.v dut.v && vvp -n sim");
  ASSERT_EQ(result.status, 0) << result.output.substr(0, 2000);
  std::istringstream lines(result.output);
  Env env(m, values);
  for (const Expr& tree : trees) {
    std::string printed;
    ASSERT_TRUE(std::getline(lines, printed));
    ASSERT_EQ(std::stoll(printed), env.require(tree)) << to_verilog(tree);
  }
}

TEST(ExprText, ConstantFunctionEvaluatesAsInVerilog) {
  Design design;
  Module& m = design.add_module("dut");
  const Expr rows = m.parameter("ROWS", 16);
  const Expr lanes = m.parameter("LANES", 4);
  const auto guard = m.integer_function("load_guard", [&](FunctionBuilder& f) {
    const Expr n = f.integer_input("n");
    const Expr r = f.integer("r");
    const Expr late = f.integer("late");
    return Body{set(f.result(), 0), For(r, 0, n,
                                        {set(late, r / 2 - r / lanes),
                                         If(late > f.result(), {set(f.result(), late)})})};
  });
  const Expr value = m.localparam("GUARD", guard({rows}));
  m.let("unused_guard", value == 0);
  m.finish();
  const ScratchDirectory scratch;
  scratch.write("dut.v", design.render().at("dut.v"));
  for (const int n : {1, 2, 7, 16, 31}) {
    scratch.write("bench.v", fmt::format("module bench;\ndut #(.ROWS({})) u_dut ();\n"
                                         "initial $display(\"%0d\", u_dut.GUARD);\nendmodule\n",
                                         n));
    const ToolRun result =
        run(scratch.path(), "iverilog -g2005 -o sim bench.v dut.v && vvp -n sim");
    ASSERT_EQ(result.status, 0) << result.output;
    Env env(m, {{"ROWS", n}});
    EXPECT_EQ(std::stoll(result.output), env.require(value)) << n;
  }
}

TEST(ExprText, ParenthesesWhereAReaderWouldDoubtAndNowhereElse) {
  Module m("dut");
  const Expr a = m.input("a", 8), b = m.input("b", 8), c = m.input("c", 8), s = m.input("s"),
             t = m.input("t");
  const Expr w = m.parameter("W", 8);
  const std::vector<std::pair<Expr, std::string>> cases = {
      {a + b * c, "a + b * c"},
      {(a + b) * c, "(a + b) * c"},
      {a - (b - c), "a - (b - c)"},
      {a - b - c, "a - b - c"},
      {a & (b & c), "a & b & c"},
      {(a & b) | c, "(a & b) | c"},
      {a & (b | c), "a & (b | c)"},
      {(a + b) & c, "(a + b) & c"},
      {(a << 1) + b, "(a << 1) + b"},
      {a + b < c, "a + b < c"},
      {(a & b) == c, "(a & b) == c"},
      {a == b && b < c, "a == b && b < c"},
      {(s && t) || s, "(s && t) || s"},
      {~a & b, "~a & b"},
      {~(a & b), "~(a & b)"},
      {~any(a), "~(|a)"},
      {s & all(a), "s & (&a)"},
      {mux(a == b, a, mux(s, b, c)), "(a == b) ? a : s ? b : c"},
      {mux(s, mux(s, a, b), c), "s ? (s ? a : b) : c"},
      {a.part(w * 2 - 1, 1 + w), "a[W*2-1 +: 1+W]"},
      {cat({a, rep(3, s), b(3, 0)}), "{a, {3{s}}, b[3:0]}"},
      {zext(s, w), "{{(W-1){1'b0}}, s}"},
      {lit(w, 0), "{W{1'b0}}"},
      {lit(w, 5), "{{(W-3){1'b0}}, 3'd5}"},
      {lit(sgn(4), -8), "4'sh8"},
      {lit(sgn(4), -3), "-4'sd3"},
      {hex(12, 0xab), "12'h0ab"},
  };
  for (const auto& [expr, text] : cases) EXPECT_EQ(to_verilog(expr), text);
}

}  // namespace
}  // namespace weft::rtl::hdl::test
