// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "arch/network/switch.h"
#include "systemc_models/switch/bits.h"

namespace weft::models {

/// An input that may send a flit to an output in this cycle.
struct Grant {
  int input;
  int output;
};

/// Grants of one cycle, in a block that is allocated once.
class Matching {
 public:
  explicit Matching(std::size_t most) : grants_(most) {}

  void clear() { count_ = 0; }
  void add(int input, int output) { grants_[count_++] = {input, output}; }
  [[nodiscard]] std::span<const Grant> grants() const { return {grants_.data(), count_}; }

 private:
  std::vector<Grant> grants_;
  std::size_t count_ = 0;
};

/// Chooses who sends to whom (docs/switch.md, "Allocation", step 4). One object serves one switch
/// and keeps the allocator's pointers.
template <class Mask>
class Allocator {
 public:
  virtual ~Allocator() = default;

  /// Back to the state after reset.
  virtual void reset() = 0;
  /// Adds one cycle's grants. `requests`[o] holds the inputs that request output o; `outputs` the
  /// outputs with a request, `usable` those that can serve one.
  virtual void match(std::span<const Mask> requests, Mask outputs, Mask usable,
                     Matching& matching) = 0;
};

/// The allocator of a switch. Mask has a bit for each of its ports.
template <class Mask>
[[nodiscard]] std::unique_ptr<Allocator<Mask>> make_allocator(const arch::Switch& design);

}  // namespace weft::models
