// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/tests/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rtl_gen/hdl/tests/lint.h"

namespace weft::rtl::test {
namespace {

using namespace hdl;

std::string testbench(const Module& module, std::size_t cycles) {
  std::vector<std::string> inputs, outputs, connections;
  std::int64_t in_bits = 0, out_bits = 0;
  for (const Object* port : module.ports()) {
    connections.push_back(fmt::format(".{0}({0})", port->name));
    if (port->name == "clk_i" || port->name == "rst_ni") continue;
    const bool is_input = port->kind == ObjectKind::input;
    (is_input ? in_bits : out_bits) += module.port_width(*port);
    (is_input ? inputs : outputs).push_back(port->name);
  }
  std::string wires;
  for (const Object* port : module.ports()) {
    if (port->name == "clk_i" || port->name == "rst_ni") continue;
    wires += fmt::format("  {} [{}-1:0] {};\n", port->kind == ObjectKind::input ? "reg" : "wire",
                         module.port_width(*port), port->name);
  }
  return fmt::format(R"(module tb;
  reg clk_i = 0, rst_ni = 0;
{0}  reg [{1}-1:0] expected, any; wire [{1}-1:0] out = {{{2}}};
  reg [{3}-1:0] lines [0:{4}-1];
  integer i, k, wrong = 0;
  {5} dut({6});
  initial begin
    $readmemb("cycles", lines);
    {{{7}}} = 0;
    #1 clk_i = 1; #1 clk_i = 0; rst_ni = 1;
    for (i = 0; i < {4}; i = i + 1) begin
      {{{7}, expected}} = lines[i]; #1;
      for (k = 0; k < {1}; k = k + 1) any[k] = expected[k] === 1'bx;
      if ((out | any) !== (expected | any)) begin
        wrong = wrong + 1;
        if (wrong <= 3) begin
          $display("cycle %0d of {4}: {{{2}}} is", i);
          $display("%b, expected", out);
          $display("%b", expected);
        end
      end
      #1 clk_i = 1; #1 clk_i = 0;
    end
  end
endmodule
)",
                     wires, out_bits, fmt::join(outputs, ", "), in_bits + out_bits, cycles,
                     module.name(), fmt::join(connections, ", "), fmt::join(inputs, ", "));
}

}  // namespace

std::string binary(std::uint64_t value, int width) {
  std::string text;
  for (int i = width; i-- > 0;) text += (value >> i & 1) != 0 ? '1' : '0';
  return text;
}

std::string replay(const Design& design, const Module& module,
                   const std::vector<std::string>& cycles) {
  const hdl::test::ScratchDirectory scratch;
  const std::string sources = hdl::test::write_sources(design, scratch);
  scratch.write("tb.v", testbench(module, cycles.size()));
  scratch.write("cycles", fmt::format("{}\n", fmt::join(cycles, "\n")));
  const auto result = hdl::test::run(
      scratch.path(), fmt::format("iverilog -g2005 -s tb -o sim {} tb.v && vvp -n sim", sources));
  return result.status == 0 ? result.output : "failed: " + result.output;
}

}  // namespace weft::rtl::test
