// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::verif {

/// The skew registers that are outside of a design with `skew: external`: a port whose lanes, of
/// equal width, are delayed by so many cycles each.
class LaneDelay {
 public:
  /// No delays: what goes in comes out.
  LaneDelay() = default;
  /// `bits` of the whole port, a delay a lane. What is delayed was 0 in the beginning.
  LaneDelay(int bits, std::vector<int> delays);
  /// The delays that make up for `delays`: all lanes are then late by the longest of them.
  [[nodiscard]] static LaneDelay aligning(int bits, std::vector<int> delays);

  /// One cycle: replaces the port's value, packed from bit 0 on, by what comes out.
  void pass(std::span<std::uint8_t> port);

 private:
  std::size_t lane_bits_ = 0;
  std::vector<int> delays_;
  std::vector<std::vector<std::uint8_t>> past_;  ///< [cycle % size]
  std::size_t now_ = 0;
};

}  // namespace weft::verif
