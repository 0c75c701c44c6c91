// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/switch.h"
#include "testbenches/switch/rtl_switch.h"

namespace weft::verif {

/// The Verilog that the generator emits for `design`.
[[nodiscard]] SwitchRtl emitted_switch(const arch::Switch& design);

}  // namespace weft::verif
