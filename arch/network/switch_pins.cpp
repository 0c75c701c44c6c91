// SPDX-License-Identifier: Apache-2.0
#include "arch/network/switch_pins.h"

#include "arch/network/routing.h"

namespace weft::arch {
namespace {

constexpr int word_bits = 64;

int words(int bits) { return (bits + word_bits - 1) / word_bits; }

std::size_t per_port(const PinLayout& layout, int count = 1) {
  return static_cast<std::size_t>(layout.ports) * static_cast<std::size_t>(count);
}

}  // namespace

PinLayout::PinLayout(const Switch& design)
    : ports(design.ports),
      flit_words(words(design.flit_width)),
      queues(arch::queues(design)),
      queue_words(words(queues)),
      virtual_channels(design.virtual_channels) {}

SwitchInputs::SwitchInputs(const PinLayout& layout)
    : valid(per_port(layout)),
      head(per_port(layout)),
      tail(per_port(layout)),
      vc(per_port(layout)),
      flit(per_port(layout, layout.flit_words)),
      accept(per_port(layout, layout.virtual_channels)) {}

SwitchOutputs::SwitchOutputs(const PinLayout& layout)
    : valid(per_port(layout)),
      head(per_port(layout)),
      tail(per_port(layout)),
      vc(per_port(layout)),
      flit(per_port(layout, layout.flit_words)),
      queue(per_port(layout, layout.queue_words)) {}

}  // namespace weft::arch
