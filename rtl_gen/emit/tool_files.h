// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// Files that tell other tools what to do with the Verilog.
namespace weft::rtl {

/// weft.f: the Verilog files in order of compilation, one a line, for `verilator -F`, and `-f` of
/// most simulators from within the directory.
[[nodiscard]] std::string file_list(const std::vector<std::string>& verilog);

/// weft.core: a FuseSoC core (CAPI 2) `weft:generated:TOP:VERSION` with a default and a lint
/// target. `description` says in a sentence what it is.
[[nodiscard]] std::string fusesoc_core(const std::string& top, const std::string& description,
                                       const std::string& version,
                                       const std::vector<std::string>& verilog);

/// weft.sdc: the clock at port clk_i, with its period in nanoseconds.
[[nodiscard]] std::string clock_constraint(const std::string& top, double clock_ns);

}  // namespace weft::rtl
