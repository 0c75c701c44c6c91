// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "verif/dut_description.h"
#include "verif/dut_library.h"

namespace weft::verif {

/// One instance of a DUT that is driven by its plain pins, a clock cycle a call.
class PinDut : public DutInstance {
 public:
  /// As DutInstance; `description`, which has inputs and outputs, must be that from which the
  /// library was built.
  PinDut(const std::shared_ptr<const DutLibrary>& library, const DutDescription& description,
         std::int32_t seed = 1);

  /// Holds reset for `cycles` (at least 1). With `noise` the inputs carry garbage meanwhile, which
  /// is the same for the same seed.
  void reset(std::uint64_t cycles, bool noise = true) { hold_reset(cycles, noise); }

  /// One clock cycle: sets the input ports from `in`, lets the design settle, reads the output
  /// ports into `out`; then the clock rises. Both are packed (beat_layout() of the description's
  /// inputs and outputs); bits of `in` beyond a port's width are ignored. Throws ToolError when the
  /// simulation gives up.
  void cycle(const std::uint8_t* in, std::uint8_t* out) {
    if (cycle_(dut(), in, out) != 0) fail();
  }

 private:
  decltype(WeftPinEntryPoints::cycle) cycle_;
};

}  // namespace weft::verif
