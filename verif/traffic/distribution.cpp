// SPDX-License-Identifier: Apache-2.0
#include "verif/traffic/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "verif/traffic/numbers.h"

namespace weft::verif {
namespace {

constexpr double two_to_64 = 18446744073709551616.0;
/// Shares written with few digits (0.333,0.333,0.333) may miss 1 by this much.
constexpr double sum_tolerance = 0.005;

std::uint64_t as_bound(double probability) {
  const double scaled = probability * two_to_64;
  return scaled >= two_to_64 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(scaled);
}

Share parse_share(std::string_view text, std::string_view what, int least, int most) {
  const std::size_t colon = text.find(':');
  const auto value = parse_int(text.substr(0, colon));
  if (!value || *value < least || *value > most) {
    throw UserError(fmt::format("{}: '{}' is not a whole number in {}..{}", what,
                                base::printable(text.substr(0, colon)), least, most));
  }
  if (colon == std::string_view::npos) return {*value, 1};
  const auto share = parse_double(text.substr(colon + 1));
  if (!share || !(*share > 0) || *share > 1) {
    throw UserError(fmt::format("{}: the share '{}' is not a number above 0 and up to 1", what,
                                base::printable(text.substr(colon + 1))));
  }
  return {*value, *share};
}

}  // namespace

Distribution parse_distribution(std::string_view text, std::string_view what, int least, int most) {
  Distribution result;
  double sum = 0;
  for (const std::string_view part : split_list(text)) {
    result.push_back(parse_share(part, what, least, most));
    sum += result.back().share;
  }
  if (std::abs(sum - 1) > sum_tolerance) {
    throw UserError(fmt::format("{}: the shares of '{}' add up to {:.4g} instead of 1", what,
                                base::printable(text), sum));
  }
  for (Share& share : result) share.share /= sum;
  return result;
}

double mean(const Distribution& distribution) {
  return std::accumulate(distribution.begin(), distribution.end(), 0.0,
                         [](double sum, const Share& s) { return sum + s.value * s.share; });
}

int largest(const Distribution& distribution) {
  return std::max_element(distribution.begin(), distribution.end(),
                          [](const Share& a, const Share& b) { return a.value < b.value; })
      ->value;
}

DiscreteSampler::DiscreteSampler(const Distribution& distribution) {
  double sum = 0;
  for (const Share& share : distribution) {
    values_.push_back(share.value);
    sum += share.share;
    bounds_.push_back(as_bound(sum));
  }
  bounds_.pop_back();
}

GeometricSampler::GeometricSampler(double probability) : never_(probability <= 0) {
  if (never_) return;
  // Long enough for most draws; the rest are drawn again, because waiting has no memory.
  constexpr std::size_t most_entries = 1024;
  double survival = 1;
  do {
    survival *= 1 - std::min(probability, 1.0);
    survival_.push_back(as_bound(survival));
  } while (survival_.size() < most_entries && survival * two_to_64 >= 1);
  const auto failures = [this](std::uint64_t drawn) {
    return std::partition_point(survival_.begin(), survival_.end(),
                                [&](std::uint64_t s) { return s > drawn; }) -
           survival_.begin();
  };
  for (std::uint64_t high = 0; high < std::uint64_t{1} << guess_bits; ++high) {
    const std::uint64_t least = high << (64 - guess_bits);
    const auto most_failures = failures(least);
    const bool sure = most_failures == failures(least | ~std::uint64_t{0} >> guess_bits) &&
                      most_failures < static_cast<std::ptrdiff_t>(survival_.size());
    guess_.push_back(sure ? static_cast<std::uint16_t>(most_failures) : unsure);
  }
}

std::uint64_t GeometricSampler::search(std::uint64_t drawn, Random& random) const {
  for (std::uint64_t failures = 0;; failures += survival_.size(), drawn = random.bits()) {
    const auto found = std::partition_point(survival_.begin(), survival_.end(),
                                            [&](std::uint64_t s) { return s > drawn; });
    if (found != survival_.end()) {
      return failures + static_cast<std::uint64_t>(found - survival_.begin());
    }
  }
}

}  // namespace weft::verif
