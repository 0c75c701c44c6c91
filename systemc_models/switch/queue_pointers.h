// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "arch/network/routing.h"
#include "arch/network/switch.h"
#include "systemc_models/switch/bits.h"

namespace weft::models {

/// Round robin among the queues of an input that wait for the same output (docs/switch.md,
/// "Allocation", step 5). Those of a match differ in their VC alone.
class QueuePointers {
 public:
  explicit QueuePointers(const arch::Switch& design)
      : vcs_(design.virtual_channels), ports_(design.ports) {
    switch (design.organisation) {
      case arch::Organisation::input_queued:
      case arch::Organisation::crossbar:
        range_ = vcs_;
        break;
      case arch::Organisation::virtual_output_queued:
        range_ = arch::queues(design);
        queues_of_output_ = vcs_;
        break;
      case arch::Organisation::output_queued:
      case arch::Organisation::central_buffer:
        range_ = vcs_;
        pointers_of_input_ = ports_;
        break;
    }
    next_.resize(as_index(ports_ * pointers_of_input_));
  }

  void reset() { std::ranges::fill(next_, 0); }

  /// The VC to be served of those that wait at an input for an output; moves the pointer.
  int choose(int input, int output, VcMask waiting) {
    int& next = next_[as_index(pointers_of_input_ == 1 ? input : input * ports_ + output)];
    const int first_queue = output * queues_of_output_;
    const int start = next - first_queue;
    const int vc = start >= 0 && start < vcs_ ? first_from(waiting, start) : lowest(waiting);
    next = first_queue + vc + 1 == range_ ? 0 : first_queue + vc + 1;
    return vc;
  }

 private:
  int vcs_;
  int ports_;
  int range_ = 0;              // of a pointer
  int queues_of_output_ = 0;   // of an input; 0: the index is the VC alone
  int pointers_of_input_ = 1;  // one, or one an output
  std::vector<int> next_;
};

}  // namespace weft::models
