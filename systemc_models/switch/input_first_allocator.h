// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systemc_models/switch/allocator.h"

namespace weft::models {

/// Separable allocation: each input picks an output, each output picks one of those inputs.
template <class Mask>
class InputFirstAllocator : public Allocator<Mask> {
 public:
  explicit InputFirstAllocator(int ports)
      : ports_(ports),
        next_input_(as_index(ports)),
        next_output_(as_index(ports)),
        rows_(std::bit_ceil(as_index(ports))),
        picks_(as_index(ports)) {}

  void reset() override {
    std::ranges::fill(next_input_, 0);
    std::ranges::fill(next_output_, 0);
  }

  void match(std::span<const Mask> requests, Mask outputs, Mask usable,
             Matching& matching) override {
    std::ranges::fill(rows_, 0);
    for_each_bit(outputs, [&](int o) { rows_[as_index(o)] = requests[as_index(o)]; });
    transpose(std::span(rows_));
    Mask picked = 0;
    for (int i = 0; i < ports_; ++i) {
      const Mask row = rows_[as_index(i)];
      if (row == 0) continue;
      const int o = first_from(row, next_output_[as_index(i)]);
      picks_[as_index(o)] |= bit<Mask>(i);
      picked |= bit<Mask>(o);
    }
    for_each_bit(picked, [&](int o) {
      const auto output = as_index(o);
      const int i = first_from(picks_[output], next_input_[output]);
      picks_[output] = 0;
      matching.add(i, o);
      if ((usable & bit<Mask>(o)) != 0) next_input_[output] = i + 1 == ports_ ? 0 : i + 1;
      next_output_[as_index(i)] = o + 1 == ports_ ? 0 : o + 1;
    });
  }

 private:
  int ports_;
  std::vector<int> next_input_;   // g[o]
  std::vector<int> next_output_;  // a[i]
  std::vector<Mask> rows_;        // [input]: outputs that it requests
  std::vector<Mask> picks_;       // [output]: inputs that picked it; empty between calls
};

}  // namespace weft::models
