// SPDX-License-Identifier: Apache-2.0
#include "verif/pin_dut.h"

namespace weft::verif {
namespace {

bool fits(const DutLibrary& library, const DutDescription& description) {
  const WeftPinEntryPoints* pins = library.entry().pins;
  return pins != nullptr && pins->input_bytes == beat_layout(description.inputs).stride &&
         pins->output_bytes == beat_layout(description.outputs).stride;
}

}  // namespace

PinDut::PinDut(const std::shared_ptr<const DutLibrary>& library, const DutDescription& description,
               std::int32_t seed)
    : DutInstance(library, fits(*library, description), seed), cycle_(entry().pins->cycle) {}

}  // namespace weft::verif
