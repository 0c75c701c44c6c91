// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/module.h"

namespace weft::rtl::hdl {

/// Where a file comes from; the last line of its header comment. Nothing is printed if
/// `configuration` is empty.
struct Provenance {
  std::string version = {};        ///< of weft
  std::string configuration = {};  ///< its name
  std::string digest = {};         ///< SHA-256 of its canonical form
};

/// Layout, and what tools need to be told.
struct PrintOptions {
  std::size_t line_width = 100;
  /// Yosys warns when it turns an array into flip-flops by itself; the attribute says that it is
  /// meant.
  bool yosys_mem2reg_attribute = true;
  /// Verilator warns of blocking assignments in clocked blocks; where one is meant
  /// (always_in_place), the warning is off for that block.
  bool verilator_blocking_pragma = true;
  /// Parameters and ports only: what a tool needs to know of a black box.
  bool interface_only = false;
};

/// The text of a finished module's file. Changes nothing; the same model gives the same bytes.
std::string to_verilog(const Module& module, const Provenance& provenance = {},
                       const PrintOptions& options = {});
/// One expression on one line.
std::string to_verilog(const Expr& expr);

}  // namespace weft::rtl::hdl
