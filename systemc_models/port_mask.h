// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace weft::models {

/// A set of ports, a bit each, in `Words` words of 64: what a plain integer does for up to 64
/// ports.
template <int Words>
class PortMask {
 public:
  PortMask() = default;
  /// Of `Words` words: port p is bit p % 64 of word p / 64.
  explicit PortMask(std::span<const std::uint64_t> words) {
    std::copy_n(words.begin(), Words, words_.begin());
  }

  void set(int port) { word(port) |= bit(port); }
  void clear(int port) { word(port) &= ~bit(port); }
  void assign(int port, bool member) {
    std::uint64_t& w = word(port);
    w = (w & ~bit(port)) | (member ? bit(port) : 0);
  }
  [[nodiscard]] bool test(int port) const { return (words_[index(port)] & bit(port)) != 0; }

  [[nodiscard]] bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t w : words_) all |= w;
    return all != 0;
  }

  /// The first port at or after `from`, cyclic; the set must not be empty.
  [[nodiscard]] int first_from(int from) const {
    if constexpr (Words == 1) {
      return static_cast<int>(
          static_cast<unsigned>(from + std::countr_zero(std::rotr(words_[0], from))) % 64);
    }
    const std::size_t start = index(from);
    std::uint64_t candidates = words_[start] & (~std::uint64_t{0} << (from % 64));
    for (std::size_t w = start; candidates == 0;) {
      w = w + 1 == static_cast<std::size_t>(Words) ? 0 : w + 1;
      candidates = words_[w];
      if (candidates != 0) return static_cast<int>(w) * 64 + std::countr_zero(candidates);
    }
    return static_cast<int>(start) * 64 + std::countr_zero(candidates);
  }

  /// Calls `function(port)` for each port, in order.
  template <typename Function>
  void for_each(Function&& function) const {
    for (std::size_t w = 0; w < static_cast<std::size_t>(Words); ++w) {
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
        function(static_cast<int>(w) * 64 + std::countr_zero(left));
      }
    }
  }

  PortMask& operator|=(const PortMask& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
  }
  PortMask& operator&=(const PortMask& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
    return *this;
  }
  friend PortMask operator&(PortMask a, const PortMask& b) { return a &= b; }

  [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }

 private:
  static constexpr std::size_t index(int port) {
    return Words == 1 ? 0 : static_cast<std::size_t>(port) / 64;
  }
  static constexpr std::uint64_t bit(int port) {
    return std::uint64_t{1} << (static_cast<unsigned>(port) % 64);
  }
  std::uint64_t& word(int port) { return words_[index(port)]; }

  std::array<std::uint64_t, static_cast<std::size_t>(Words)> words_{};
};

}  // namespace weft::models
