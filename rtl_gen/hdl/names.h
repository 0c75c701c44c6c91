// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace weft::rtl::hdl {

/// The one function through which every identifier passes. Returns `name`; throws HdlError unless
/// it is a simple identifier ([A-Za-z_][A-Za-z0-9_]*, at most 128 characters) and no keyword
/// (arch::verilog_keywords()): emitted files are Verilog-2005, but their readers may compile them
/// as SystemVerilog.
std::string identifier(std::string_view name);

}  // namespace weft::rtl::hdl
