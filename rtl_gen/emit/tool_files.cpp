// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/emit/tool_files.h"

#include <fmt/format.h>

namespace weft::rtl {

std::string file_list(const std::vector<std::string>& verilog) {
  std::string text;
  for (const auto& file : verilog) text += file + "\n";
  return text;
}

std::string fusesoc_core(const std::string& top, const std::string& description,
                         const std::string& version, const std::vector<std::string>& verilog) {
  std::string text = fmt::format(
      "CAPI=2:\n"
      "name: weft:generated:{}:{}\n"
      "description: \"{}\"\n"
      "\n"
      "filesets:\n"
      "  rtl:\n"
      "    files:\n",
      top, version, description);
  for (const auto& file : verilog) text += fmt::format("      - {}\n", file);
  text += fmt::format(
      "    file_type: verilogSource-2005\n"
      "  constraints:\n"
      "    files:\n"
      "      - weft.sdc\n"
      "    file_type: SDC\n"
      "\n"
      "targets:\n"
      "  default:\n"
      "    filesets: [rtl, constraints]\n"
      "    toplevel: {0}\n"
      "  lint:\n"
      "    filesets: [rtl]\n"
      "    toplevel: {0}\n"
      "    default_tool: verilator\n"
      "    tools:\n"
      "      verilator:\n"
      "        mode: lint-only\n"
      "        verilator_options: [-Wall]\n",
      top);
  return text;
}

std::string clock_constraint(const std::string& top, double clock_ns) {
  return fmt::format(
      "# The clock of {}, period in nanoseconds.\n"
      "create_clock -name clk_i -period {:g} [get_ports clk_i]\n",
      top, clock_ns);
}

}  // namespace weft::rtl
