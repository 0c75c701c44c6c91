// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "arch/params/verilog_names.h"
#include "rtl_gen/hdl/error.h"

namespace weft::rtl::hdl {

std::string identifier(std::string_view name) {
  constexpr std::size_t longest = 128;  // a configuration name of 64 and a suffix
  const auto legal = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  const bool simple = !name.empty() && name.size() <= longest && std::ranges::all_of(name, legal) &&
                      !std::isdigit(static_cast<unsigned char>(name.front()));
  if (!simple) throw HdlError(fmt::format("'{}' is not a simple Verilog identifier", name));
  if (arch::is_verilog_keyword(name)) {
    throw HdlError(fmt::format("'{}' is a keyword of Verilog or SystemVerilog", name));
  }
  return std::string(name);
}

}  // namespace weft::rtl::hdl
