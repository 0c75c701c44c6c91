// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/network/switch.h"

namespace weft::arch {

/// The sizes of what stands on a switch's ports.
struct PinLayout {
  explicit PinLayout(const Switch& design);

  int ports = 0;
  int flit_words = 0;   ///< 64-bit words of a flit; unused high bits are 0
  int queues = 0;       ///< QUEUES: queues of an input
  int queue_words = 0;  ///< 64-bit words of a bit a queue
  int virtual_channels = 1;
};

/// What is driven into a switch in one cycle. Entries of ports without `valid` mean nothing.
struct SwitchInputs {
  explicit SwitchInputs(const PinLayout& layout);

  std::vector<std::uint8_t> valid, head, tail, vc;  ///< [port]
  std::vector<std::uint64_t> flit;                  ///< [port * flit_words + word]
  /// [port * V + vc]: out_credit_i; with ready/valid (V = 1) out_ready_i.
  std::vector<std::uint8_t> accept;
};

/// What a switch drives in one cycle.
struct SwitchOutputs {
  explicit SwitchOutputs(const PinLayout& layout);

  std::vector<std::uint8_t> valid, head, tail, vc;  ///< [port]
  std::vector<std::uint64_t> flit;                  ///< [port * flit_words + word]
  /// Bit q of [port * queue_words ...]: in_credit_o; with ready/valid in_ready_o.
  std::vector<std::uint64_t> queue;
};

/// Anything that behaves as a switch, cycle by cycle: the model, the Verilated RTL.
class SwitchSimulation {
 public:
  virtual ~SwitchSimulation() = default;

  /// Back to the state after reset; the next cycle() is cycle 0.
  virtual void reset() = 0;
  /// Where the switch is, for routing in meshes.
  virtual void set_position(int x, int y) = 0;
  /// One clock cycle: what stands on the outputs while `inputs` stand on the inputs, then the clock
  /// edge. The result is valid until the next call.
  virtual const SwitchOutputs& cycle(const SwitchInputs& inputs) = 0;
};

}  // namespace weft::arch
