// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "arch/config.h"
#include "rtl_gen/hdl/design.h"

namespace weft::rtl {

/// manifest.json: what was generated, for programs. The configuration in it is a legal
/// configuration file by itself; its digest is arch::digest(). Widths of ports are given at the
/// parameters' defaults and as the Verilog expressions that they are.
[[nodiscard]] std::string manifest(const arch::Config& config, const hdl::Design& design,
                                   const std::string& version);

}  // namespace weft::rtl
