// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/array_clock.h"

#include <stdexcept>

namespace weft::models {

void ArrayClock::start(std::span<const std::uint8_t> ready) {
  *this = ArrayClock(cursors_.size());
  if (std::ranges::all_of(ready, [](std::uint8_t r) { return r != 0; })) return;
  if (std::ranges::none_of(ready, [](std::uint8_t r) { return r != 0; })) {
    throw std::invalid_argument("the sink is never ready: its pattern has no 1");
  }
  wait_.resize(ready.size());
  // Twice around from the end: the wait in the last cycles depends on the first ones.
  std::uint32_t wait = 0;
  for (std::size_t i = 2 * ready.size(); i-- > 0;) {
    const std::size_t phase = i % ready.size();
    wait = ready[phase] != 0 ? 0 : wait + 1;
    wait_[phase] = wait;
  }
}

void ArrayClock::forget() {
  occupied_.erase(occupied_.begin(), occupied_.begin() + static_cast<std::ptrdiff_t>(settled_));
  settled_ = 0;

  const std::size_t passed = std::ranges::min(cursors_, {}, &Cursor::next).next;
  if (passed < stalls_.size() / 2) return;  // moving the rest would cost more than it frees
  stalls_.erase(stalls_.begin(), stalls_.begin() + static_cast<std::ptrdiff_t>(passed));
  for (Cursor& cursor : cursors_) cursor.next -= passed;
}

}  // namespace weft::models
