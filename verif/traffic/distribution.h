// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "verif/random.h"

namespace weft::verif {

/// A value with its probability; the shares of a distribution add up to 1.
struct Share {
  int value = 0;
  double share = 1;

  bool operator==(const Share&) const = default;
};
using Distribution = std::vector<Share>;

/// Reads "4" (always 4) or "1:0.5,5:0.5" (value:share). `what` names the values in errors ("packet
/// length"), which must lie in least..most. Throws UserError.
[[nodiscard]] Distribution parse_distribution(std::string_view text, std::string_view what,
                                              int least, int most);

[[nodiscard]] double mean(const Distribution& distribution);
[[nodiscard]] int largest(const Distribution& distribution);

/// Draws from a distribution; one with a single value costs no random number.
class DiscreteSampler {
 public:
  explicit DiscreteSampler(const Distribution& distribution);

  int operator()(Random& random) const {
    if (bounds_.empty()) return values_.front();
    const std::uint64_t drawn = random.bits();
    std::size_t i = 0;
    while (i < bounds_.size() && drawn >= bounds_[i]) ++i;
    return values_[i];
  }

 private:
  std::vector<int> values_;
  std::vector<std::uint64_t>
      bounds_;  ///< of all values but the last: 2^64 * sum of shares up to it
};

/// Draws the number of failures before the first success, when each trial succeeds with
/// `probability`: mean (1 - p) / p. A probability of 0 never succeeds. Uses a table instead of a
/// logarithm: it is faster, and the same on every machine.
class GeometricSampler {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  explicit GeometricSampler(double probability);

  std::uint64_t operator()(Random& random) const {
    if (never_) return never;
    const std::uint64_t drawn = random.bits();
    const std::uint16_t guess = guess_[drawn >> (64 - guess_bits)];
    return guess != unsure ? guess : search(drawn, random);
  }

 private:
  static constexpr int guess_bits = 10;
  static constexpr std::uint16_t unsure = 0xFFFF;

  [[nodiscard]] std::uint64_t search(std::uint64_t drawn, Random& random) const;

  bool never_;
  /// survival_[k]: 2^64 * probability of more than k failures, falling.
  std::vector<std::uint64_t> survival_;
  /// The failures that a draw means, by its high bits, or `unsure` where these do not tell.
  std::vector<std::uint16_t> guess_;
};

}  // namespace weft::verif
