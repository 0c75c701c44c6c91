// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace weft::synth {

/// A memory of the Verilog, and what became of it.
struct FpgaMemory {
  std::string name;
  std::uint64_t words = 0;
  std::uint64_t width = 0;  ///< bits of a word
  /// Block RAMs have registers in their read path: a memory that is read without one cannot be one.
  bool asynchronous_read = false;
  std::string place;  ///< "block RAM", "LUT RAM" or "registers"

  [[nodiscard]] std::uint64_t bits() const { return words * width; }
  bool operator==(const FpgaMemory&) const = default;
};

/// What a design takes of an FPGA.
struct FpgaUse {
  std::uint64_t luts = 0;  ///< look-up tables of logic
  std::uint64_t carries = 0;
  std::uint64_t flip_flops = 0;
  std::uint64_t dsps = 0;
  std::uint64_t block_rams = 0;
  std::uint64_t lut_rams = 0;  ///< cells that use look-up tables as memory or shift register
  std::uint64_t others = 0;    ///< wide multiplexers, inverters ...
  std::vector<FpgaMemory> memories;
  bool routed = false;  ///< placed and routed: the timing is that of the routed design

  [[nodiscard]] std::uint64_t memory_bits(const std::string& place) const;
  bool operator==(const FpgaUse&) const = default;
};

nlohmann::ordered_json to_json(const FpgaUse& use);
/// Throws nlohmann::json::exception.
FpgaUse fpga_use_from_json(const nlohmann::ordered_json& json);

/// The rows of the table for people.
std::string to_text(const FpgaUse& use);

}  // namespace weft::synth
