// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>

#include <cstdint>
#include <vector>

namespace weft::models {

/// The commands of a tensor array's target socket are plain reads and writes of the generic
/// payload: the address says which command it is. Elements are host-endian words, as TLM-2.0 wants
/// them.
namespace tensor_array_address {
/// LoadStationary, a write: one tile, [ROWS * MACS][COLS] int32. Weight and input stationary.
inline constexpr std::uint64_t load_stationary = 0x0000'0000;
/// MultiplyMoving, a write: vectors [n][ROWS][MACS] int32. Weight and input stationary.
inline constexpr std::uint64_t multiply_moving = 0x1000'0000;
/// Steps, a write: [n][(ROWS + COLS) * MACS] int32, in each step the moving elements [ROWS][MACS]
/// before the stationary ones [COLS][MACS]. Output stationary.
inline constexpr std::uint64_t step = 0x2000'0000;
/// The oldest results, a read that takes them: [n][COLS] int64.
inline constexpr std::uint64_t results = 0x3000'0000;
}  // namespace tensor_array_address

/// What a command can carry beyond the generic payload. Ignorable: without it tags are 0, each
/// multiplication is a whole tile, and nobody is told the times of single beats.
struct TileExtension : tlm::tlm_extension<TileExtension> {
  // From the initiator.
  std::vector<std::uint64_t> tags;  ///< of the moving beats; missing ones are 0
  bool last = true;                 ///< the last moving beat ends the tile

  // From the target. A beat that moves in a clock cycle has its time at the end of that cycle.
  std::vector<sc_core::sc_time> beat_times;  ///< of each beat accepted or result delivered
  std::vector<std::uint64_t> result_tags;    ///< of each result read
  std::vector<bool> result_last;             ///< of each result read

  [[nodiscard]] tlm::tlm_extension_base* clone() const override { return new TileExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const TileExtension&>(other);
  }
};

}  // namespace weft::models
