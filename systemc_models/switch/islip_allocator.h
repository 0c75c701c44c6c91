// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systemc_models/switch/allocator.h"

namespace weft::models {

/// iSLIP: outputs offer, inputs accept, by round robin, a number of times.
template <class Mask>
class IslipAllocator : public Allocator<Mask> {
 public:
  IslipAllocator(int ports, int iterations)
      : ports_(ports),
        iterations_(iterations),
        next_input_(as_index(ports)),
        next_output_(as_index(ports)),
        accepted_(as_index(ports)),
        offers_(as_index(ports)) {}

  void reset() override {
    std::ranges::fill(next_input_, 0);
    std::ranges::fill(next_output_, 0);
    std::ranges::fill(accepted_, 0);
  }

  void match(std::span<const Mask> requests, Mask outputs, Mask usable,
             Matching& matching) override {
    Mask inputs = low_bits<Mask>(ports_);
    for (int iteration = 0; iteration < iterations_; ++iteration) {
      const Mask offered = offer(requests, inputs, outputs);
      if (offered == 0) return;
      for_each_bit(offered, [&](int i) {
        const auto input = as_index(i);
        const int o = first_from(offers_[input], next_output_[input]);
        offers_[input] = 0;
        matching.add(i, o);
        outputs &= ~bit<Mask>(o);
        // Those matched do not come again in this cycle, so the pointers may move at once.
        if (iteration == 0) {
          if ((usable & bit<Mask>(o)) != 0) next_input_[as_index(o)] = i + 1 == ports_ ? 0 : i + 1;
          next_output_[input] = stays(input) ? o : o + 1 == ports_ ? 0 : o + 1;
        }
      });
      inputs &= ~offered;
    }
  }

 private:
  // Whether an input that accepts an offer keeps its pointer there: with several iterations in
  // three of four cases.
  bool stays(std::size_t input) {
    if (iterations_ == 1) return false;
    accepted_[input] = (accepted_[input] + 1) % 4;
    return accepted_[input] != 0;
  }

  // The inputs that get an offer; outputs that have none to make drop out.
  Mask offer(std::span<const Mask> requests, Mask inputs, Mask& outputs) {
    Mask offered = 0;
    for_each_bit(outputs, [&](int o) {
      const auto output = as_index(o);
      const Mask candidates = requests[output] & inputs;
      if (candidates == 0) {
        outputs &= ~bit<Mask>(o);
        return;
      }
      const int i = first_from(candidates, next_input_[output]);
      offers_[as_index(i)] |= bit<Mask>(o);
      offered |= bit<Mask>(i);
    });
    return offered;
  }

  int ports_;
  int iterations_;
  std::vector<int> next_input_;   // g[o]
  std::vector<int> next_output_;  // a[i]
  std::vector<int> accepted_;     // n[i]
  std::vector<Mask> offers_;      // [input]: outputs; empty between calls
};

}  // namespace weft::models
