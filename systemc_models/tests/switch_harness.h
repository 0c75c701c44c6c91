// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "arch/network/routing.h"
#include "arch/network/switch_pins.h"
#include "systemc_models/switch/cycle_switch.h"

namespace weft::models::testing {

/// A switch whose outputs go to sinks that take every flit at once, and whose inputs are driven
/// flit by flit. Flits of 64 bits: the destination (of a destination_table) in the low 16 bits, a
/// number of the test's above.
class SwitchHarness {
 public:
  explicit SwitchHarness(const arch::Switch& design)
      : model(design),
        design_(design),
        layout_(design),
        inputs_(layout_),
        credits_(static_cast<std::size_t>(layout_.ports * layout_.queues), design.buffer_depth) {}

  struct Flit {
    int destination = 0;
    int vc = 0;
    bool head = true;
    bool tail = true;
    std::uint64_t number = 0;
  };

  [[nodiscard]] bool can_send(int input, int destination, int vc = 0) const {
    return design_.flow_control == arch::FlowControl::ready_valid ||
           credits_[place(input, destination, vc)] > 0;
  }

  /// Puts a flit on an input for the next cycle.
  void send(int input, const Flit& flit) {
    inputs_.valid[input] = 1;
    inputs_.head[input] = flit.head;
    inputs_.tail[input] = flit.tail;
    inputs_.vc[input] = static_cast<std::uint8_t>(flit.vc);
    inputs_.flit[input * layout_.flit_words] =
        flit.number << 16 | static_cast<std::uint64_t>(flit.destination);
    sent_to_[input] = flit.destination;
  }

  /// One cycle; calls received(output, flit) for each flit that leaves.
  void cycle(const std::function<void(int output, const Flit&)>& received) {
    const arch::SwitchOutputs& outputs = model.cycle(inputs_);
    taken_.assign(layout_.ports, false);
    for (int i = 0; i < layout_.ports; ++i) {
      if (inputs_.valid[i] != 0) {
        const std::size_t at = place(i, sent_to_[i], inputs_.vc[i]);
        const int q = static_cast<int>(at) % layout_.queues;
        if (design_.flow_control == arch::FlowControl::credit) --credits_[at];
        taken_[i] = design_.flow_control == arch::FlowControl::credit || pulse(outputs, i, q);
      }
      inputs_.valid[i] = 0;
      if (design_.flow_control != arch::FlowControl::credit) continue;
      for (int q = 0; q < layout_.queues; ++q) {
        if (pulse(outputs, i, q)) ++credits_[i * layout_.queues + q];
      }
    }
    const int v = layout_.virtual_channels;
    std::fill(inputs_.accept.begin(), inputs_.accept.end(),
              design_.flow_control == arch::FlowControl::ready_valid);
    for (int o = 0; o < layout_.ports; ++o) {
      if (outputs.valid[o] == 0) continue;
      inputs_.accept[o * v + outputs.vc[o]] = 1;
      const std::uint64_t bits = outputs.flit[o * layout_.flit_words];
      received(o, {static_cast<int>(bits & 0xffff), outputs.vc[o], outputs.head[o] != 0,
                   outputs.tail[o] != 0, bits >> 16});
    }
    ++time;
  }
  /// Whether the flit of the last cycle was accepted.
  [[nodiscard]] bool taken(int input) const { return taken_[input]; }

  CycleSwitch model;
  std::uint64_t time = 0;  ///< the next cycle

 private:
  [[nodiscard]] std::size_t place(int input, int destination, int vc) const {
    return static_cast<std::size_t>(
        input * layout_.queues +
        arch::queue_index(design_, design_.routes[destination], vc, false));
  }
  [[nodiscard]] bool pulse(const arch::SwitchOutputs& outputs, int i, int q) const {
    return (outputs.queue[i * layout_.queue_words + q / 64] >> (q % 64) & 1) != 0;
  }

  arch::Switch design_;
  arch::PinLayout layout_;
  arch::SwitchInputs inputs_;
  std::vector<int> credits_;
  std::vector<bool> taken_;
  int sent_to_[arch::most_ports] = {};
};

}  // namespace weft::models::testing
