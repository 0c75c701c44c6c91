// SPDX-License-Identifier: Apache-2.0
#include "arch/network/link_pins.h"

#include <cstddef>

#include "arch/network/link_frame.h"

namespace weft::arch {
namespace {

std::size_t words(int bits) { return static_cast<std::size_t>((bits + 63) / 64); }

}  // namespace

LinkInputs::LinkInputs(const Link& link)
    : flit(words(link.flit_width)), phit(words(FrameLayout(link).phit_width)) {}

LinkOutputs::LinkOutputs(const Link& link)
    : out_flit(static_cast<std::size_t>(link.virtual_channels) * words(link.flit_width)),
      phit(words(FrameLayout(link).phit_width)) {}

}  // namespace weft::arch
