// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/tensor_array_timing.h"

namespace weft::models {
namespace {

std::size_t groups_of(const arch::TensorArray& array, const arch::ArrayTiming& constants) {
  return array.skew == arch::Skew::internal ? 1 : static_cast<std::size_t>(constants.col_hops) + 1;
}

}  // namespace

TensorArrayTiming::TensorArrayTiming(const arch::TensorArray& array)
    : array_(array),
      constants_(array),
      rules_(array),
      column_groups_(groups_of(array, constants_)),
      load_reader_(first_result_reader + column_groups_),
      // Output stationary has no load stream; a reader that never moves would keep every stall.
      clock_(load_reader_ + (array.output_stationary() ? 0 : 1)),
      latency_(static_cast<std::uint64_t>(constants_.latency) -
               (array.skew == arch::Skew::internal ? 0 : constants_.col_hops)),
      occupied_cycles_((array.output_stationary() ? array.rows : 1) + column_groups_ - 1),
      results_per_vector_(!array.output_stationary()) {}

void TensorArrayTiming::start(std::span<const std::uint8_t> ready) {
  rules_ = arch::Acceptance(array_);
  clock_.start(ready);
  first_ = true;
  next_moving_ = 0;
}

}  // namespace weft::models
