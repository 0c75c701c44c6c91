// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace weft::models {

/// Bits `offset` .. `offset + width - 1` of a vector of words, least significant first; width is at
/// most 64.
[[nodiscard]] inline std::uint64_t bits_of(std::span<const std::uint64_t> words, int offset,
                                           int width) {
  if (width == 0) return 0;
  const auto word = static_cast<std::size_t>(offset / 64);
  const int shift = offset % 64;
  std::uint64_t value = words[word] >> shift;
  if (shift + width > 64) value |= words[word + 1] << (64 - shift);
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

/// Sets these bits.
inline void set_bits(std::span<std::uint64_t> words, int offset, int width, std::uint64_t value) {
  if (width == 0) return;
  const auto word = static_cast<std::size_t>(offset / 64);
  const int shift = offset % 64;
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  words[word] = (words[word] & ~(mask << shift)) | ((value & mask) << shift);
  if (shift + width > 64) {
    const int done = 64 - shift;
    words[word + 1] = (words[word + 1] & ~(mask >> done)) | ((value & mask) >> done);
  }
}

/// Copies `width` bits, of any number.
inline void copy_bits(std::span<std::uint64_t> to, int to_offset,
                      std::span<const std::uint64_t> from, int from_offset, int width) {
  for (int done = 0; done < width; done += 64) {
    const int part = std::min(64, width - done);
    set_bits(to, to_offset + done, part, bits_of(from, from_offset + done, part));
  }
}

}  // namespace weft::models
