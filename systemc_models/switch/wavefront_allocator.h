// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systemc_models/switch/allocator.h"

namespace weft::models {

/// Wavefront: diagonals of the request matrix in turn; the cells of one are independent.
template <class Mask>
class WavefrontAllocator : public Allocator<Mask> {
 public:
  explicit WavefrontAllocator(int ports)
      : ports_(ports),
        all_(low_bits<Mask>(ports)),
        diagonals_(as_index(ports)),
        shifted_(as_index(ports)) {
    for (int step = 1; step < ports; step *= 2) {
      Mask inputs = 0;
      for (int i = 0; i < ports; ++i) {
        if ((i & step) != 0) inputs |= bit<Mask>(i);
      }
      movers_.push_back(inputs);
    }
  }

  void reset() override { first_ = turns_ = 0; }

  void match(std::span<const Mask> requests, Mask outputs, Mask usable,
             Matching& matching) override {
    if (outputs == 0) return;
    skew(requests, outputs);
    // Bit j is output (-j) mod ports.
    Mask served = 0;
    for_each_bit(usable & outputs, [&](int o) { served |= bit<Mask>(o == 0 ? 0 : ports_ - o); });
    const int skipped = first_asked(served);
    sweep(matching);
    move(skipped);
  }

 private:
  // diagonals_[d] bit i = request of cell (i, (d - i) mod ports): bit i of each word moves i words
  // on, in steps of powers of two.
  void skew(std::span<const Mask> requests, Mask outputs) {
    for (int o = 0; o < ports_; ++o) {
      const auto output = as_index(o);
      diagonals_[output] = (outputs & bit<Mask>(o)) != 0 ? requests[output] : Mask{0};
    }
    const std::size_t size = diagonals_.size();
    std::size_t distance = 1;
    for (const Mask moving : movers_) {
      for (std::size_t d = 0; d < size; ++d) {
        const std::size_t from = d >= distance ? d - distance : d + size - distance;
        shifted_[d] = (diagonals_[d] & ~moving) | (diagonals_[from] & moving);
      }
      std::swap(diagonals_, shifted_);
      distance *= 2;
    }
  }

  // How many diagonals, from the first on, have no request to one of these outputs.
  [[nodiscard]] int first_asked(Mask reversed_outputs) const {
    int d = first_;
    for (int count = 0; count < ports_; ++count) {
      if ((diagonals_[as_index(d)] & rotate(reversed_outputs, d)) != 0) return count;
      d = d + 1 == ports_ ? 0 : d + 1;
    }
    return ports_;
  }

  void move(int skipped) {
    if (skipped == 0) {
      if (++turns_ == most_turns) {
        turns_ = 0;
        first_ = first_ + 1 == ports_ ? 0 : first_ + 1;
      }
    } else if (skipped < ports_ - 1) {
      // The last one is that whose turns are over; it gets no others as long as nobody else asks.
      turns_ = 1;
      first_ = first_ + skipped < ports_ ? first_ + skipped : first_ + skipped - ports_;
    }
  }

  void sweep(Matching& matching) {
    Mask inputs = all_;
    Mask reversed = all_;  // free outputs; bit j is output (-j) mod ports
    int d = first_;
    for (int count = 0; count < ports_; ++count) {
      // Bit i: output (d - i) mod ports, the one of cell i of this diagonal, is free.
      const Mask free_outputs = rotate(reversed, d);
      const Mask matched = diagonals_[as_index(d)] & inputs & free_outputs;
      for_each_bit(matched, [&](int i) {
        const int o = d >= i ? d - i : d - i + ports_;
        matching.add(i, o);
        reversed &= ~bit<Mask>(o == 0 ? 0 : ports_ - o);
      });
      inputs &= ~matched;
      d = d + 1 == ports_ ? 0 : d + 1;
    }
  }

  Mask rotate(Mask mask, int left) const {
    return left == 0 ? mask : ((mask << left) | (mask >> (ports_ - left))) & all_;
  }

  int ports_;
  Mask all_;
  static constexpr int most_turns = 3;

  int first_ = 0;             // the first diagonal of this cycle
  int turns_ = 0;             // that it has had
  std::vector<Mask> movers_;  // [k]: inputs whose number has bit k
  std::vector<Mask> diagonals_;
  std::vector<Mask> shifted_;
};

}  // namespace weft::models
