// SPDX-License-Identifier: Apache-2.0
#include "synth/growth.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace weft::synth {
namespace {

/// The smallest size that is at least `least` and grows like `size`.
std::int64_t alike(std::int64_t least, std::int64_t size, std::int64_t period) {
  least = std::max(least, period);
  return least + ((size - least) % period + period) % period;
}

/// The sizes to measure in place of `size`; nothing if it is to be measured itself.
std::vector<std::int64_t> sizes_for(const GrowthLaw& law, std::int64_t size, std::int64_t period,
                                    std::int64_t largest) {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t sample : law.samples) {
    const std::int64_t wanted = largest == 0 ? sample : std::min(sample, largest);
    sizes.push_back(
        alike(sizes.empty() ? sample : std::max(wanted, sizes.back() + 1), size, period));
  }
  return size > sizes.back() ? sizes : std::vector<std::int64_t>{};
}

/// Between the last two sizes, as far from both as the period allows.
std::int64_t between(const std::vector<std::int64_t>& sizes, std::int64_t period) {
  const std::int64_t before = sizes[sizes.size() - 2];
  return before + (sizes.back() - before) / period / 2 * period;
}

}  // namespace

Extension::Extension(const std::vector<GrowthLaw>& laws, const Sizes& parameters,
                     std::int64_t largest)
    : samples_{parameters}, held_out_(parameters) {
  for (const GrowthLaw& law : laws) {
    const std::int64_t size = parameters.at(law.parameter);
    const std::int64_t period = law.period.empty() ? 1 : parameters.at(law.period);
    const auto sizes = sizes_for(law, size, period, largest);
    if (sizes.empty()) continue;
    axes_.push_back({law.parameter, sizes});
    held_out_[law.parameter] = between(sizes, period);
    std::vector<Sizes> all;
    for (const Sizes& sample : samples_) {
      for (const std::int64_t at : sizes) {
        all.push_back(sample);
        all.back()[law.parameter] = at;
      }
    }
    samples_ = std::move(all);
  }
}

std::vector<double> Extension::weights(const Sizes& sizes) const {
  std::vector<double> weights;
  for (const Sizes& sample : samples_) {
    double weight = 1;
    for (const Axis& axis : axes_) {
      const auto own = static_cast<double>(sample.at(axis.parameter));
      const auto x = static_cast<double>(sizes.at(axis.parameter));
      for (const std::int64_t size : axis.sizes) {
        const auto other = static_cast<double>(size);
        if (other != own) weight *= (x - other) / (own - other);
      }
    }
    weights.push_back(weight);
  }
  return weights;
}

double Extension::at(const Sizes& sizes, const std::vector<double>& figures) const {
  const auto shares = weights(sizes);
  return std::inner_product(shares.begin(), shares.end(), figures.begin(), 0.0);
}

std::string Extension::describe() const {
  std::vector<std::string> parts;
  for (const Axis& axis : axes_) {
    parts.push_back(fmt::format("{} = {}", axis.parameter, fmt::join(axis.sizes, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace weft::synth
