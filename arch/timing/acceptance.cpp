// SPDX-License-Identifier: Apache-2.0
#include "arch/timing/acceptance.h"

#include <algorithm>

namespace weft::arch {

Acceptance::Acceptance(const TensorArray& array)
    : timing_(array),
      rows_(array.rows),
      output_stationary_(array.output_stationary()),
      double_buffered_(array.stationary_buffers == 2) {
  // Reset acts as the last step of a tile, accepted in cycle 0.
  if (output_stationary_) accept_moving(0, true);
}

std::int64_t Acceptance::earliest_load() const {
  const bool blocked = waiting_ || (in_use_ && !double_buffered_);
  return blocked ? never : next_load_;
}

std::int64_t Acceptance::earliest_moving(bool last) const {
  if (!output_stationary_) return in_use_ ? next_moving_ : never;
  return last && double_buffered_ ? std::max(next_moving_, finished_ - 1 + rows_) : next_moving_;
}

void Acceptance::accept_load(std::int64_t cycle) {
  next_load_ = cycle + 1;
  if (++beats_ < timing_.load_beats) return;
  beats_ = 0;
  loaded_ = cycle + 1;
  waiting_ = true;
  switch_tiles();
}

void Acceptance::accept_moving(std::int64_t cycle, bool last) {
  next_moving_ = cycle + 1;
  if (!last) return;
  finished_ = cycle + 1;
  if (output_stationary_) {
    if (!double_buffered_) next_moving_ = finished_ + rows_;
    return;
  }
  in_use_ = false;
  if (!double_buffered_) next_load_ = finished_ + timing_.load_guard;
  switch_tiles();
}

void Acceptance::switch_tiles() {
  if (!waiting_ || in_use_) return;
  waiting_ = false;
  in_use_ = true;
  next_moving_ = std::max(loaded_, finished_);
  if (double_buffered_) next_load_ = next_moving_ + timing_.load_guard;
}

}  // namespace weft::arch
