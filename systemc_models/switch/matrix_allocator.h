// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systemc_models/switch/allocator.h"
#include "systemc_models/switch/least_recently_served.h"

namespace weft::models {

/// One round of offers and acceptances, each to the least recently served.
template <class Mask>
class MatrixAllocator : public Allocator<Mask> {
 public:
  explicit MatrixAllocator(int ports)
      : inputs_(ports, ports), outputs_(ports, ports), offers_(as_index(ports)) {}

  void reset() override {
    inputs_.reset();
    outputs_.reset();
  }

  void match(std::span<const Mask> requests, Mask outputs, Mask usable,
             Matching& matching) override {
    Mask offered = 0;
    for_each_bit(outputs, [&](int o) {
      const int i = inputs_.choose(o, requests[as_index(o)]);
      offers_[as_index(i)] |= bit<Mask>(o);
      offered |= bit<Mask>(i);
    });
    for_each_bit(offered, [&](int i) {
      const auto input = as_index(i);
      const int o = outputs_.choose(i, offers_[input]);
      offers_[input] = 0;
      matching.add(i, o);
      if ((usable & bit<Mask>(o)) != 0) inputs_.serve(o, i);
      outputs_.serve(i, o);
    });
  }

 private:
  LeastRecentlyServed<Mask> inputs_;   // of each output
  LeastRecentlyServed<Mask> outputs_;  // of each input
  std::vector<Mask> offers_;           // [input]: outputs; empty between calls
};

}  // namespace weft::models
