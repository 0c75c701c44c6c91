// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "arch/network/link.h"
#include "verif/dut_description.h"

namespace weft::verif {

/// The RTL of a link's endpoint.
struct LinkRtl {
  std::vector<VerilogFile> files;
  std::string top;
  std::map<std::string, std::string> parameters;  ///< overrides of the top's Verilog parameters
};

/// What the generator emits for `link`.
[[nodiscard]] LinkRtl emitted_rtl(const arch::Link& link);

/// What it emits for `emitted`, elaborated at the sizes of `link`. Both have one virtual channel or
/// both have several, and the same CRC.
[[nodiscard]] LinkRtl emitted_rtl(const arch::Link& emitted, const arch::Link& link);

/// The endpoint as the engine sees it.
[[nodiscard]] DutDescription describe(const arch::Link& link, const LinkRtl& rtl);

}  // namespace weft::verif
