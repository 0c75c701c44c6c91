// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "systemc_models/switch/bits.h"

namespace weft::models {

/// Arbiters that serve the least recently served of those who ask; at reset lower numbers are
/// first.
template <class Mask>
class LeastRecentlyServed {
 public:
  LeastRecentlyServed(int arbiters, int requesters)
      : requesters_(as_index(requesters)), before_(as_index(arbiters) * requesters_) {
    reset();
  }

  void reset() {
    for (std::size_t k = 0; k < before_.size(); ++k) {
      before_[k] = low_bits<Mask>(static_cast<int>(k % requesters_));
    }
  }

  /// Whom the arbiter serves of those in a mask that is not empty.
  [[nodiscard]] int choose(int arbiter, Mask candidates) const {
    const Mask* before = &before_[as_index(arbiter) * requesters_];
    int chosen = lowest(candidates);
    for (Mask earlier = candidates & before[chosen]; earlier != 0;
         earlier = candidates & before[chosen]) {
      chosen = lowest(earlier);
    }
    return chosen;
  }

  /// Makes a requester the last of an arbiter.
  void serve(int arbiter, int requester) {
    Mask* before = &before_[as_index(arbiter) * requesters_];
    const Mask others = ~bit<Mask>(requester);
    for (std::size_t k = 0; k < requesters_; ++k) before[k] &= others;
    before[requester] = low_bits<Mask>(static_cast<int>(requesters_)) & others;
  }

 private:
  std::size_t requesters_;
  std::vector<Mask> before_;  // [arbiter][requester]: those who are served before it
};

}  // namespace weft::models
