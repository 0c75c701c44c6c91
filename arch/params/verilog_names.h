// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::arch {

/// Longest name of a design. Tools take more; names derived from it need room too.
inline constexpr std::size_t longest_verilog_name = 64;

/// The reserved words of Verilog-2005 (IEEE 1364-2005) and SystemVerilog (IEEE 1800-2017), those
/// that Icarus Verilog reserves besides, and the classes of SystemVerilog's package std, which
/// Verilator's grammar does not take as names of signals; sorted.
[[nodiscard]] const std::vector<std::string>& verilog_keywords();

[[nodiscard]] bool is_verilog_keyword(std::string_view word);

/// Whether `name` is [A-Za-z_][A-Za-z0-9_]*, of at most longest_verilog_name characters, and no
/// keyword.
[[nodiscard]] bool is_verilog_name(std::string_view name);

}  // namespace weft::arch
