// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "arch/network/switch.h"
#include "systemc_models/switch/bits.h"

namespace weft::models {

/// Round robin among the queues of an input that wait for the same output (docs/switch.md,
/// "Allocation", step 5), which differ in their VC alone.
class QueuePointers {
 public:
  explicit QueuePointers(const arch::Switch& design)
      : vcs_(design.virtual_channels),
        ports_(design.ports),
        next_(as_index(design.ports * design.ports)) {}

  void reset() { std::ranges::fill(next_, 0); }

  /// The VC to be served of those that wait at an input for an output; moves the pointer.
  int choose(int input, int output, VcMask waiting) {
    int& next = next_[as_index(input * ports_ + output)];
    const int vc = first_from(waiting, next);
    next = vc + 1 == vcs_ ? 0 : vc + 1;
    return vc;
  }

 private:
  int vcs_;
  int ports_;
  std::vector<int> next_;  // [input][output]
};

}  // namespace weft::models
