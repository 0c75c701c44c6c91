// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/link_crc.h"

#include "arch/network/link_frame.h"
#include "systemc_models/link_bits.h"

namespace weft::models {

LinkCrc::LinkCrc(int width) : width_(width) {
  const std::uint32_t polynomial = arch::crc_polynomial(width);
  const std::uint32_t top = std::uint32_t{1} << (width - 1);
  for (std::uint32_t byte = 0; byte < remainder_.size(); ++byte) {
    std::uint32_t rest = byte << (width - 8);
    for (int step = 0; step < 8; ++step) {
      rest = (rest & top) != 0 ? (rest << 1) ^ polynomial : rest << 1;
    }
    remainder_[byte] = rest;
  }
}

std::uint32_t LinkCrc::operator()(std::span<const std::uint64_t> frame, int begin, int end) const {
  // Zeros above the highest bit change nothing, so the first byte may be a shorter one.
  std::uint32_t rest = 0;
  int position = end;
  for (int bits = (end - begin - 1) % 8 + 1; position > begin; bits = 8) {
    position -= bits;
    const auto byte = static_cast<std::uint32_t>(bits_of(frame, position, bits));
    rest = (rest << 8) ^ remainder_[((rest >> (width_ - 8)) ^ byte) & 0xFF];
  }
  return width_ == 32 ? ~rest : ~rest & 0xFFFF;
}

}  // namespace weft::models
