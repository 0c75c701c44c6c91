// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "synth/power/port_trace.h"
#include "verif/dut_description.h"

namespace weft::verif {

/// Writes down what stands on the pins of a design, bit by bit.
class TraceRecorder {
 public:
  /// `dut` is one with plain pins.
  explicit TraceRecorder(const DutDescription& dut);

  /// Appends a cycle; `in` and `out` are packed as the description's inputs and outputs are.
  void record(bool reset, const std::uint8_t* in, const std::uint8_t* out);
  /// Appends cycles in reset with all inputs 0, whose outputs are nobody's business.
  void record_reset(std::size_t cycles);

  [[nodiscard]] std::size_t cycles() const { return trace_.cycles; }
  /// What was recorded; the recorder is empty then.
  [[nodiscard]] synth::PortTrace take();

 private:
  BeatLayout inputs_;
  BeatLayout outputs_;
  std::vector<std::uint8_t> no_input_;
  std::vector<std::uint8_t> no_output_;
  synth::PortTrace trace_;
};

/// The same design with plain pins: those of its streams in the order valid, payload of each source
/// and ready of each sink; outputs: ready of each source, valid and payload of each sink.
[[nodiscard]] DutDescription with_plain_pins(const DutDescription& streams);

}  // namespace weft::verif
