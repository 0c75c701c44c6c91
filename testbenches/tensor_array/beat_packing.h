// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arch/tensor_array.h"
#include "arch/traffic.h"
#include "verif/dut.h"
#include "verif/dut_description.h"

namespace weft::verif {

/// Packs elements as ports carry them: element i in bits [i*width +: width], two's complement.
/// `out` has room for whole bytes; bits of the last byte above the elements become 0.
void pack_elements(std::span<const std::int32_t> elements, int width, std::uint8_t* out);
void pack_elements(std::span<const std::int64_t> elements, int width, std::uint8_t* out);

/// The reverse: elements of `width` bits, sign-extended if signed. May read up to 7 bytes behind
/// the last element.
void unpack_elements(const std::uint8_t* packed, int width, bool is_signed,
                     std::span<std::int64_t> elements);

/// Turns tiles into the packed beats that a tensor array's ports carry.
class BeatPacker {
 public:
  BeatPacker(arch::TensorArray array, const DutDescription& dut);

  /// Appends all beats of a tile.
  void append(const arch::Tile& tile, SourceBeats& stationary, SourceBeats& moving);

  /// Appends the load beats of a tile, [ROWS * MACS][COLS]. Lanes that the array must ignore carry
  /// ones.
  void append_load(std::span<const std::int32_t> tile, SourceBeats& stationary);
  /// Appends the stationary side of output-stationary steps, [steps][COLS][MACS].
  void append_steps(std::span<const std::int32_t> steps, SourceBeats& stationary);
  /// Appends moving beats, [beats][ROWS][MACS]; missing tags are 0; `last` goes with the last beat.
  void append_moving(std::span<const std::int32_t> beats, std::span<const std::uint64_t> tags,
                     bool last, SourceBeats& moving);

 private:
  arch::TensorArray array_;
  BeatLayout stationary_;
  BeatLayout moving_;
  std::vector<std::int32_t> beat_;
};

}  // namespace weft::verif
