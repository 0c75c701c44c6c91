// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/network/link.h"
#include "verif/faults.h"

namespace weft::verif {

/// Design errors for the emitted Verilog of a link with several virtual channels, named `faulty`,
/// whose frames take several phits.
[[nodiscard]] std::vector<Fault> link_faults();

}  // namespace weft::verif
