// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace weft::models {

/// The CRC of docs/link.md, "CRC", by long division from the highest bit down, a byte a step.
class LinkCrc {
 public:
  explicit LinkCrc(int width);

  /// Of bits `begin` .. `end` - 1 of a frame.
  [[nodiscard]] std::uint32_t operator()(std::span<const std::uint64_t> frame, int begin,
                                         int end) const;

 private:
  int width_;
  std::array<std::uint32_t, 256> remainder_{};  ///< of byte * x^width
};

}  // namespace weft::models
