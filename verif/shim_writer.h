// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "verif/dut_description.h"

namespace weft::verif {

/// The C++ that binds the ports of the Verilated class `Vdut` to the engine's code for streams
/// (verif/shim/stream_loop.h) or plain pins (verif/shim/pin_cycle.h): the only code that is
/// generated per DUT.
[[nodiscard]] std::string write_shim(const DutDescription& dut);

}  // namespace weft::verif
