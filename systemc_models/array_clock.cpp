// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/array_clock.h"

#include <stdexcept>

namespace weft::models {

void ArrayClock::start(std::span<const std::uint8_t> ready) {
  *this = ArrayClock(cursors_.size());
  const auto is_ready = [](std::uint8_t r) { return r != 0; };
  if (std::ranges::all_of(ready, is_ready)) return;
  if (std::ranges::none_of(ready, is_ready)) {
    throw std::invalid_argument("the sink is never ready: its pattern has no 1");
  }
  wait_.resize(ready.size());
  // From the end to the start; the wait after the last cycle is that from the first cycle on.
  auto wait = static_cast<std::uint32_t>(std::ranges::find_if(ready, is_ready) - ready.begin());
  for (std::size_t phase = ready.size(); phase-- > 0;) {
    wait = is_ready(ready[phase]) ? 0 : wait + 1;
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
