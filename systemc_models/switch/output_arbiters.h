// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systemc_models/switch/allocator.h"
#include "systemc_models/switch/least_recently_served.h"

namespace weft::models {

// Organisations in which an input may send any number of flits in a cycle need no matching: each
// output takes one of the inputs that request it. Speculation is not for them.

/// By round robin.
template <class Mask>
class RoundRobinOutputs : public Allocator<Mask> {
 public:
  explicit RoundRobinOutputs(int ports) : ports_(ports), next_input_(as_index(ports)) {}

  void reset() override { std::ranges::fill(next_input_, 0); }

  void match(std::span<const Mask> requests, Mask outputs, Mask /*usable*/,
             Matching& matching) override {
    for_each_bit(outputs, [&](int o) {
      const auto output = as_index(o);
      const int i = first_from(requests[output], next_input_[output]);
      matching.add(i, o);
      next_input_[output] = i + 1 == ports_ ? 0 : i + 1;
    });
  }

 private:
  int ports_;
  std::vector<int> next_input_;  // g[o]
};

/// The least recently served.
template <class Mask>
class MatrixOutputs : public Allocator<Mask> {
 public:
  explicit MatrixOutputs(int ports) : inputs_(ports, ports) {}

  void reset() override { inputs_.reset(); }

  void match(std::span<const Mask> requests, Mask outputs, Mask /*usable*/,
             Matching& matching) override {
    for_each_bit(outputs, [&](int o) {
      const int i = inputs_.choose(o, requests[as_index(o)]);
      matching.add(i, o);
      inputs_.serve(o, i);
    });
  }

 private:
  LeastRecentlyServed<Mask> inputs_;  // of each output
};

}  // namespace weft::models
