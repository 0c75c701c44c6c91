// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/network/switch.h"
#include "verif/faults.h"

namespace weft::verif {

/// A small switch and design errors to plant in the Verilog that is emitted for it.
struct FaultySwitch {
  arch::Switch design;
  std::vector<Fault> faults;
};

/// Switches that have all the logic between them: flow control, credits, queues, holding of VCs,
/// classes, allocators, routing, collectives; and faults in all of it.
[[nodiscard]] std::vector<FaultySwitch> faulty_switches();

}  // namespace weft::verif
