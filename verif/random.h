// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>

namespace weft::verif {

/// The pseudo-random numbers of all stimuli: xoshiro256** seeded by splitmix64, so that one 64-bit
/// seed gives the same sequence on every machine. (The distributions of <random> differ between
/// libraries.)
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = split(seed);
  }

  /// Independent sub-sequence `index` of `seed`: stimuli of one case do not depend on those before.
  Random(std::uint64_t seed, std::uint64_t index) : Random(mix(seed, index)) {}

  /// 64 random bits.
  std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform in 0 .. bound - 1; bound is at least 1 and below 2^32.
  std::uint64_t below(std::uint64_t bound) { return ((bits() >> 32) * bound) >> 32; }

  /// Uniform in low .. high.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }

  /// True `percent` times of a hundred.
  bool chance(unsigned percent) { return below(100) < percent; }

  template <typename T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }

 private:
  static std::uint64_t split(std::uint64_t& seed) {
    std::uint64_t z = (seed += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  static std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
    const std::uint64_t scattered = split(seed);
    index += scattered;
    return split(index);
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace weft::verif
