// SPDX-License-Identifier: Apache-2.0
// Every product of small operands, against Icarus' own multiplication.
#include "rtl_gen/arithmetic/booth.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rtl_gen/hdl/tests/tool_run.h"

namespace weft::rtl {
namespace {

using namespace hdl;

struct Shape {
  int recoded_bits;
  bool recoded_signed;
  int multiplicand_bits;
  bool multiplicand_signed;
  int parts;
};

/// A module with the product as a wire, from the sum of all groups of rows less the bias.
void add_multiplier(Design& design, const Shape& shape) {
  Module& m = design.add_module("multiplier");
  const Expr a_width = m.parameter("A_WIDTH", shape.recoded_bits);
  const Expr b_width = m.parameter("B_WIDTH", shape.multiplicand_bits);
  const Expr a = m.input("a_i", a_width);
  const Expr b = m.input("b_i", b_width);
  const Booth booth(m, {a_width, shape.recoded_signed}, {b_width, shape.multiplicand_signed});
  const Expr width = booth.product_width();
  const Expr some = m.output("some_o");
  const Expr product = m.wire("product", width);
  Expr sum = -booth.bias(width);
  for (int part = 0; part < shape.parts; ++part) {
    sum = sum + booth.rows(fmt::format("rows_{}", part), width, part, shape.parts)({a, b});
  }
  m.assign(product, sum);
  m.assign(some, any(product));
  m.finish();
}

std::string exhaustive_testbench(const Shape& s) {
  return fmt::format(R"(module tb;
  reg [{0}-1:0] a; reg [{1}-1:0] b; wire [127:0] product = $signed(dut.product);
  multiplier dut(.a_i(a), .b_i(b), .some_o());
  integer i, j; reg signed [127:0] x, y; reg [{2}-1:0] expected; integer wrong = 0;
  initial begin
    for (i = 0; i < (1 << {0}); i = i + 1) for (j = 0; j < (1 << {1}); j = j + 1) begin
      a = i; b = j; x = {3}; y = {4}; expected = x * y; #1;
      if (dut.product !== expected) wrong = wrong + 1;
    end
    $display("wrong %0d of %0d", wrong, i * j);
  end
endmodule
)",
                     s.recoded_bits, s.multiplicand_bits,
                     2 * (s.recoded_signed ? (s.recoded_bits + 1) / 2 : s.recoded_bits / 2 + 1) +
                         s.multiplicand_bits + (s.multiplicand_signed ? 0 : 1),
                     s.recoded_signed ? "$signed(a)" : "$signed({1'b0, a})",
                     s.multiplicand_signed ? "$signed(b)" : "$signed({1'b0, b})");
}

TEST(Booth, MultipliesEveryPairOfOperands) {
  for (const bool recoded_signed : {false, true}) {
    for (const bool multiplicand_signed : {false, true}) {
      for (const auto& [a, b, parts] : {std::tuple{2, 2, 1},
                                        {2, 5, 1},
                                        {3, 4, 2},
                                        {4, 3, 4},
                                        {5, 6, 1},
                                        {6, 2, 2},
                                        {7, 5, 4},
                                        {8, 8, 1}}) {
        const Shape shape{a, recoded_signed, b, multiplicand_signed, parts};
        Design design;
        add_multiplier(design, shape);
        const hdl::test::ScratchDirectory scratch;
        scratch.write("multiplier.v", design.render().at("multiplier.v"));
        scratch.write("tb.v", exhaustive_testbench(shape));
        const auto result = hdl::test::run(
            scratch.path(), "iverilog -g2005 -s tb -o sim multiplier.v tb.v && vvp -n sim");
        EXPECT_EQ(result.output, fmt::format("wrong 0 of {}\n", (1 << a) * (1 << b)))
            << a << (recoded_signed ? "s" : "u") << " x " << b << (multiplicand_signed ? "s" : "u")
            << " in " << parts;
      }
    }
  }
}

}  // namespace
}  // namespace weft::rtl
