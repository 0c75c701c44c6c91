// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weft::verif {

inline constexpr int flit_word_bits = 64;

/// The lowest `width` bits, 0 to 64 of them.
[[nodiscard]] inline std::uint64_t low_ones(int width) {
  return width <= 0 ? 0 : ~std::uint64_t{0} >> (flit_word_bits - width);
}

/// Bits offset .. offset + width - 1 of a flit; at most 64 of them, none beyond its end.
[[nodiscard]] inline std::uint64_t get_bits(const std::uint64_t* flit, int offset, int width) {
  if (width == 0) return 0;
  const auto word = static_cast<std::size_t>(offset / flit_word_bits);
  const int shift = offset % flit_word_bits;
  std::uint64_t bits = flit[word] >> shift;
  if (shift + width > flit_word_bits) bits |= flit[word + 1] << (flit_word_bits - shift);
  return bits & low_ones(width);
}

/// Ors `bits`, `width` of them, into a flit at `offset`.
inline void or_bits(std::uint64_t* flit, int offset, int width, std::uint64_t bits) {
  if (width == 0) return;
  const auto word = static_cast<std::size_t>(offset / flit_word_bits);
  const int shift = offset % flit_word_bits;
  flit[word] |= bits << shift;
  if (shift + width > flit_word_bits) flit[word + 1] |= bits >> (flit_word_bits - shift);
}

}  // namespace weft::verif
