// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/tests/lint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::rtl::hdl::test {

std::string write_sources(const Design& design, const ScratchDirectory& scratch) {
  for (const auto& [name, text] : design.render()) scratch.write(name, text);
  return fmt::format("{}", fmt::join(design.file_order(), " "));
}

std::string lint(const Design& design, const std::string& top) {
  const ScratchDirectory scratch;
  const std::string sources = write_sources(design, scratch);
  std::string said;
  for (const std::string& command :
       {fmt::format("verilator --lint-only -Wall --top-module {} {}", top, sources),
        fmt::format("iverilog -g2005 -Wall -s {} -t null {}", top, sources),
        fmt::format("yosys -q -p 'read_verilog {}; hierarchy -check -top {}; proc; check -assert'",
                    sources, top)}) {
    const ToolRun result = run(scratch.path(), command);
    if (result.status != 0 || !result.output.empty()) {
      said += fmt::format("{}: status {}\n{}", command, result.status, result.output);
    }
  }
  return said;
}

}  // namespace weft::rtl::hdl::test
