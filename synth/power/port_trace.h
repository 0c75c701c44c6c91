// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::synth {

/// What stood on the ports of a design in consecutive clock cycles, recorded from its RTL: the
/// inputs in the cycle, and the outputs that had settled before the clock rose.
struct PortTrace {
  std::vector<std::string> inputs;   ///< bits, all but the clock: rst_ni, data_i[0], data_i[1] ...
  std::vector<std::string> outputs;  ///< bits
  std::size_t cycles = 0;
  /// The first cycles reset the design and, where it takes that, let it get going. They set the
  /// state but are not part of what is measured. At least one.
  std::size_t lead_cycles = 0;
  std::vector<std::uint64_t> input_words;   ///< [cycle][word], bit i of the row is inputs[i]
  std::vector<std::uint64_t> output_words;  ///< [cycle][word]

  [[nodiscard]] std::size_t input_stride() const { return (inputs.size() + 63) / 64; }
  [[nodiscard]] std::size_t output_stride() const { return (outputs.size() + 63) / 64; }
};

}  // namespace weft::synth
