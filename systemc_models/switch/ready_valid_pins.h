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

/// The output pins of a switch with ready/valid: each output ends in a FIFO, whose places are the
/// output's credits. Same interface as CreditPins.
class ReadyValidPins {
 public:
  static constexpr bool ready_valid = true;

  /// `combinational`: in_ready_o is decided within the cycle (organisation crossbar).
  ReadyValidPins(const arch::PinLayout& layout, const arch::SwitchTiming& timing,
                 bool combinational)
      : layout_(layout),
        delay_(static_cast<std::uint64_t>(timing.output_stages) + 1),
        depth_(as_index(timing.output_fifo_depth)),
        combinational_(combinational),
        pins_(layout),
        ready_(pins_.queue.size()),
        fifos_(as_index(layout.ports)),
        places_(fifos_.size() * depth_),
        flits_(places_.size() * words()) {
    reset();
  }

  void reset() {
    cycle_ = 0;
    pins_ = arch::SwitchOutputs(layout_);
    std::ranges::fill(fifos_, Fifo{});
    std::ranges::fill(ready_, 0);
    if (combinational_) return;
    for (int i = 0; i < layout_.ports; ++i) {
      for (int q = 0; q < layout_.queues; ++q) credit(i, q);
    }
  }

  void begin() {
    ++cycle_;
    std::ranges::copy(ready_, pins_.queue.begin());
    for (std::size_t o = 0; o < fifos_.size(); ++o) {
      const Fifo& fifo = fifos_[o];
      const std::size_t front = o * depth_ + fifo.front;
      const bool valid = fifo.count != 0 && places_[front].from <= cycle_;
      pins_.valid[o] = valid;
      if (!valid) continue;
      pins_.head[o] = places_[front].head;
      pins_.tail[o] = places_[front].tail;
      copy_flit(&pins_.flit[o * words()], &flits_[front * words()], words());
    }
  }

  [[nodiscard]] const arch::SwitchOutputs& current() const { return pins_; }

  void send(int output, int /*vc*/, const FlitTag& tag, const std::uint64_t* flit) {
    const auto o = as_index(output);
    Fifo& fifo = fifos_[o];
    const std::size_t place = o * depth_ + (fifo.front + fifo.count) % depth_;
    ++fifo.count;
    places_[place] = {cycle_ + delay_, tag.head, tag.tail};
    copy_flit(&flits_[place * words()], flit, words());
  }

  /// A queue has a free place from the next cycle on.
  void credit(int input, int queue) { ready_[word(input, queue)] |= bit_of(queue); }
  /// A queue has none from the next cycle on.
  void filled(int input, int queue) { ready_[word(input, queue)] &= ~bit_of(queue); }
  /// Whether a queue takes a flit in this cycle.
  [[nodiscard]] bool takes(int input, int queue) const {
    return (pins_.queue[word(input, queue)] & bit_of(queue)) != 0;
  }
  /// A queue takes the flit that stands at its input in this cycle.
  void take(int input, int queue) { pins_.queue[word(input, queue)] |= bit_of(queue); }

  template <class Give>
  void returned(const arch::SwitchInputs& inputs, Give&& give) {
    for (std::size_t o = 0; o < fifos_.size(); ++o) {
      if (pins_.valid[o] == 0 || inputs.accept[o] == 0) continue;
      Fifo& fifo = fifos_[o];
      fifo.front = fifo.front + 1 == depth_ ? 0 : fifo.front + 1;
      --fifo.count;
      give(static_cast<int>(o), 0);
    }
  }

  [[nodiscard]] int credits_under_way(int /*input*/, int /*queue*/) const { return 0; }
  [[nodiscard]] int under_way(int output, int /*vc*/) const {
    return static_cast<int>(fifos_[as_index(output)].count);
  }

 private:
  struct Fifo {
    std::size_t front = 0;
    std::size_t count = 0;
  };
  struct Place {
    std::uint64_t from = 0;  // the cycle from which it is visible
    bool head = false;
    bool tail = false;
  };

  [[nodiscard]] std::size_t words() const { return as_index(layout_.flit_words); }
  [[nodiscard]] std::size_t word(int input, int queue) const {
    return as_index(input * layout_.queue_words + queue / 64);
  }
  [[nodiscard]] static std::uint64_t bit_of(int queue) { return std::uint64_t{1} << (queue % 64); }

  arch::PinLayout layout_;
  std::uint64_t delay_;  // cycles from departure to the pins
  std::size_t depth_;
  bool combinational_;
  std::uint64_t cycle_ = 0;
  arch::SwitchOutputs pins_;
  std::vector<std::uint64_t> ready_;  // in_ready_o of the next cycle
  std::vector<Fifo> fifos_;
  std::vector<Place> places_;         // [output][place]
  std::vector<std::uint64_t> flits_;  // [output][place][word]
};

}  // namespace weft::models
