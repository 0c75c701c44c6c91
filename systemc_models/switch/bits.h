// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace weft::models {

/// Indices are ints; containers want another type.
[[nodiscard]] constexpr std::size_t as_index(int index) { return static_cast<std::size_t>(index); }

/// Sets of ports as words; bit p is port p. Templates take either.
using Mask64 = std::uint64_t;
__extension__ using Mask128 = unsigned __int128;

/// A set of virtual channels of a port.
using VcMask = std::uint32_t;

template <class Mask>
[[nodiscard]] constexpr Mask bit(int index) {
  return static_cast<Mask>(Mask{1} << index);
}

/// The bits 0 .. count - 1.
template <class Mask>
[[nodiscard]] constexpr Mask low_bits(int count) {
  return count == static_cast<int>(8 * sizeof(Mask)) ? static_cast<Mask>(~Mask{0})
                                                     : static_cast<Mask>(bit<Mask>(count) - 1);
}

/// Index of the lowest bit of a mask that is not empty.
template <class Mask>
[[nodiscard]] constexpr int lowest(Mask mask) {
  if constexpr (sizeof(Mask) <= sizeof(std::uint64_t)) {
    return std::countr_zero(mask);
  } else {
    const auto low = static_cast<std::uint64_t>(mask);
    return low != 0 ? std::countr_zero(low)
                    : 64 + std::countr_zero(static_cast<std::uint64_t>(mask >> 64));
  }
}

/// Round robin: the first bit at or after `start`, cyclically, of a mask that is not empty.
template <class Mask>
[[nodiscard]] constexpr int first_from(Mask mask, int start) {
  const Mask after = static_cast<Mask>((mask >> start) << start);
  return lowest(after != 0 ? after : mask);
}

/// Calls visit(index) for each bit, lowest first.
template <class Mask, class Visit>
constexpr void for_each_bit(Mask mask, Visit&& visit) {
  while (mask != 0) {
    visit(lowest(mask));
    mask &= static_cast<Mask>(mask - 1);
  }
}

/// Calls visit(index) for each byte that is not 0, lowest first.
template <class Visit>
void for_each_set(std::span<const std::uint8_t> bytes, Visit&& visit) {
  constexpr std::size_t step = sizeof(std::uint64_t);
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(step, bytes.size() - at));
    // The highest bit of each byte says whether the byte is not 0.
    constexpr std::uint64_t low_bits_of_bytes = 0x7f7f'7f7f'7f7f'7f7f;
    word = (((word & low_bits_of_bytes) + low_bits_of_bytes) | word) & ~low_bits_of_bytes;
    for_each_bit(word, [&](int bit) { visit(static_cast<int>(at) + bit / 8); });
  }
}

/// Transposes a square matrix of bits in place; its size is a power of two that Mask has bits for.
template <class Mask>
void transpose(std::span<Mask> matrix) {
  const int size = static_cast<int>(matrix.size());
  Mask low = low_bits<Mask>(size);  // columns that are the left one of their pair of blocks
  for (int block = size / 2; block != 0; block /= 2) {
    low ^= static_cast<Mask>(low << block);
    for (int pair = 0; pair < size; pair += 2 * block) {
      for (int row = pair; row < pair + block; ++row) {
        Mask& upper = matrix[as_index(row)];
        Mask& lower = matrix[as_index(row + block)];
        const Mask swap = static_cast<Mask>(((upper >> block) ^ lower) & low);
        upper ^= static_cast<Mask>(swap << block);
        lower ^= swap;
      }
    }
  }
}

}  // namespace weft::models
