// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/network/switch_pins.h"
#include "arch/network/switch_timing.h"
#include "systemc_models/switch/bits.h"
#include "systemc_models/switch/flit_store.h"

namespace weft::models {

/// The output pins of a switch with credits: a ring of the pins of this cycle and the next ones, so
/// that a flit that departs is copied once, to the cycle in which it stands there.
class CreditPins {
 public:
  static constexpr bool ready_valid = false;

  CreditPins(const arch::PinLayout& layout, const arch::SwitchTiming& timing)
      : layout_(layout), ring_(as_index(timing.output_stages) + 2, arch::SwitchOutputs(layout)) {}

  void reset() {
    std::ranges::fill(ring_, arch::SwitchOutputs(layout_));
    now_ = 0;
  }

  /// Begins a cycle.
  void begin() {
    now_ = next(now_);
    // The last cycle's pins become those of the farthest cycle.
    arch::SwitchOutputs& farthest = ring_[previous(now_)];
    std::ranges::fill(farthest.valid, 0);
    std::ranges::fill(farthest.queue, 0);
    farthest_ = {farthest.valid.data(), farthest.head.data(), farthest.tail.data(),
                 farthest.vc.data(), farthest.flit.data()};
    next_credits_ = ring_[next(now_)].queue.data();
  }

  [[nodiscard]] const arch::SwitchOutputs& current() const { return ring_[now_]; }

  /// A flit departs in this cycle.
  void send(int output, int vc, const FlitTag& tag, const std::uint64_t* flit) {
    const auto o = as_index(output);
    const auto words = as_index(layout_.flit_words);
    const Pins pins = farthest_;
    copy_flit(&pins.flit[o * words], flit, words);
    pins.valid[o] = 1;
    pins.head[o] = tag.head;
    pins.tail[o] = tag.tail;
    pins.vc[o] = static_cast<std::uint8_t>(vc);
  }

  /// A credit of a queue stands on the pins in the next cycle.
  void credit(int input, int queue) { next_credits_[word(input, queue)] |= bit_of(queue); }

  /// Calls give(output, vc) for each credit that the next hops give back in this cycle.
  template <class Give>
  void returned(const arch::SwitchInputs& inputs, Give&& give) {
    const int v = layout_.virtual_channels;
    if (v == 1) {
      for_each_set(inputs.accept, [&](int o) { give(o, 0); });
    } else {
      for_each_set(inputs.accept, [&](int k) { give(k / v, k % v); });
    }
  }

  /// Credits that were given and were not on the pins yet when the cycle ended.
  [[nodiscard]] int credits_under_way(int input, int queue) const {
    return (ring_[next(now_)].queue[word(input, queue)] & bit_of(queue)) != 0 ? 1 : 0;
  }
  /// Flits that departed and were not on the pins yet when the cycle ended.
  [[nodiscard]] int under_way(int output, int vc) const {
    int count = 0;
    for (std::size_t k = next(now_); k != now_; k = next(k)) {
      const auto o = as_index(output);
      count += ring_[k].valid[o] != 0 && ring_[k].vc[o] == vc ? 1 : 0;
    }
    return count;
  }

 private:
  // Where the pins of a cycle are; saves going through the ring for each flit.
  struct Pins {
    std::uint8_t* valid = nullptr;
    std::uint8_t* head = nullptr;
    std::uint8_t* tail = nullptr;
    std::uint8_t* vc = nullptr;
    std::uint64_t* flit = nullptr;
  };

  [[nodiscard]] std::size_t word(int input, int queue) const {
    return as_index(input * layout_.queue_words + queue / 64);
  }
  [[nodiscard]] static std::uint64_t bit_of(int queue) { return std::uint64_t{1} << (queue % 64); }
  [[nodiscard]] std::size_t next(std::size_t k) const { return k + 1 == ring_.size() ? 0 : k + 1; }
  [[nodiscard]] std::size_t previous(std::size_t k) const {
    return (k == 0 ? ring_.size() : k) - 1;
  }

  arch::PinLayout layout_;
  std::vector<arch::SwitchOutputs> ring_;
  std::size_t now_ = 0;
  Pins farthest_;                          // on which a flit stands that departs now
  std::uint64_t* next_credits_ = nullptr;  // of the next cycle
};

}  // namespace weft::models
