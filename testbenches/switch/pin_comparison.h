// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"

namespace weft::verif {

/// Where the outputs of two switches differ.
struct PinMismatch {
  bool time = false;  ///< a flit, credit or readiness that only one of them shows
  std::string text;   ///< pin, expected, got
};

/// Compares all output pins of a cycle; what goes with a flit only where there is one.
[[nodiscard]] std::optional<PinMismatch> compare_pins(const arch::Switch& design,
                                                      const arch::PinLayout& layout,
                                                      const arch::SwitchOutputs& expected,
                                                      const arch::SwitchOutputs& got);

}  // namespace weft::verif
