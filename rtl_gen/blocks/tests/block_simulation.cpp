// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/tests/block_simulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "base/tests/run_seed.h"
#include "rtl_gen/hdl/tests/tool_run.h"

namespace weft::rtl::test {
namespace {

bool is_control(const hdl::Object& port) { return port.name == "clk_i" || port.name == "rst_ni"; }

/// The ports of a kind as one vector, the first one lowest.
struct Packing {
  Packing(const hdl::Module& top, hdl::ObjectKind kind, const hdl::ParameterValues& parameters) {
    for (const hdl::Object* const port : top.ports()) {
      if (port->kind != kind || is_control(*port)) continue;
      const int bits = static_cast<int>(top.port_width(*port, parameters));
      connections += fmt::format(", .{}({}[{} +: {}])", port->name,
                                 kind == hdl::ObjectKind::input ? "in" : "out", width, bits);
      members.push_back({port->name, width, bits});
      width += bits;
    }
  }
  struct Member {
    std::string name;
    int base, width;
  };
  std::vector<Member> members;
  std::string connections;
  int width = 0;
};

std::string most_significant_first(const std::string& bits) { return {bits.rbegin(), bits.rend()}; }

}  // namespace

Bits bits(std::uint64_t value, int width) {
  Bits result;
  for (int k = 0; k < width; ++k) result += k < 64 && ((value >> k) & 1) != 0 ? '1' : '0';
  return result;
}

bool is_set(const Bits& value, int k) {
  const char bit = value.at(static_cast<std::size_t>(k));
  if (bit != '0' && bit != '1') throw std::runtime_error("unknown bit in " + value);
  return bit == '1';
}

std::uint64_t number(const Bits& value, int base, int width) {
  std::uint64_t result = 0;
  for (int k = 0; k < width; ++k)
    result |= static_cast<std::uint64_t>(is_set(value, base + k)) << k;
  return result;
}

std::vector<Values> simulate(const hdl::Design& design, const hdl::Module& top,
                             const hdl::ParameterValues& parameters,
                             const std::vector<Values>& inputs) {
  const Packing in(top, hdl::ObjectKind::input, parameters);
  const Packing out(top, hdl::ObjectKind::output, parameters);
  std::string stimuli;
  for (const Values& cycle : inputs) {
    std::string packed;
    for (const auto& member : in.members) {
      const Bits& value = cycle.at(member.name);
      if (static_cast<int>(value.size()) != member.width)
        throw std::runtime_error(fmt::format("{} has {} bits", member.name, member.width));
      packed += value;
    }
    stimuli += most_significant_first(packed) + "\n";
  }
  std::vector<std::string> sizes;
  for (const auto& [name, value] : parameters) sizes.push_back(fmt::format(".{}({})", name, value));
  const bool clocked = std::ranges::any_of(top.ports(), [](auto* p) { return is_control(*p); });
  std::string bench = fmt::format(
      "module bench;\n"
      "reg clk = 0, rst_n = 0;\n"
      "reg [{0}:0] in = 0, stimuli [0:{1}];\n"
      "wire [{2}:0] out;\n"
      "{3} #({4}) u_dut ({5}{6}{7});\n"
      "integer t;\n"
      "initial begin\n"
      "  $readmemb(\"stimuli.txt\", stimuli);\n"
      "  #1 clk = 1; #1 rst_n = 1;\n"
      "  for (t = 0; t < {8}; t = t + 1) begin\n"
      "    in = stimuli[t]; #1 clk = 0; #1 $display(\"%b\", out); #1 clk = 1; #1;\n"
      "  end\n"
      "end\n"
      "endmodule\n",
      in.width - 1, inputs.size() - 1, out.width - 1, top.name(), fmt::join(sizes, ", "),
      clocked ? ".clk_i(clk), .rst_ni(rst_n)" : "",
      clocked ? in.connections : in.connections.substr(2), out.connections, inputs.size());
  const hdl::test::ScratchDirectory scratch;
  for (const auto& [file, text] : design.render()) scratch.write(file, text);
  scratch.write("stimuli.txt", stimuli);
  scratch.write("bench.v", bench);
  const auto result =
      hdl::test::run(scratch.path(), "iverilog -g2005 -y . -o sim bench.v && vvp -n sim");
  if (result.status != 0) throw std::runtime_error(result.output);
  std::istringstream lines(result.output);
  std::vector<Values> outputs;
  for (std::string line; lines >> line;) {
    const std::string packed = most_significant_first(line);
    Values cycle;
    for (const auto& member : out.members) {
      cycle[member.name] = packed.substr(static_cast<std::size_t>(member.base),
                                         static_cast<std::size_t>(member.width));
    }
    outputs.push_back(std::move(cycle));
  }
  if (outputs.size() != inputs.size()) throw std::runtime_error(result.output);
  return outputs;
}

Random::Random() : engine_(weft::test::run_seed()) {}

Bits Random::draw(int width, int percent) {
  Bits result;
  for (int k = 0; k < width; ++k) result += chance(percent) ? '1' : '0';
  return result;
}

}  // namespace weft::rtl::test
