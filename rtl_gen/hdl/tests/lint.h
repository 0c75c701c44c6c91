// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"
#include "rtl_gen/hdl/tests/tool_run.h"

namespace weft::rtl::hdl::test {

/// Writes the design's files; returns their names in compilation order, as arguments of a command.
std::string write_sources(const Design& design, const ScratchDirectory& scratch);

/// What Verilator, Icarus and Yosys say about the design with this top; empty if all are content.
std::string lint(const Design& design, const std::string& top);

}  // namespace weft::rtl::hdl::test
