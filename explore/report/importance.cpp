// SPDX-License-Identifier: Apache-2.0
#include "explore/report/importance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>

namespace weft::explore {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Sum of squared distances from the mean.
double spread(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

}  // namespace

std::optional<double> importance(const std::vector<std::uint32_t>& choices,
                                 std::vector<double> figures) {
  if (std::ranges::all_of(figures, [](double figure) { return figure > 0; })) {
    for (double& figure : figures) figure = std::log(figure);
  }
  std::map<std::uint32_t, std::vector<double>> groups;
  for (std::size_t i = 0; i < figures.size(); ++i) groups[choices[i]].push_back(figures[i]);
  if (groups.size() < 2 || groups.size() >= figures.size()) return std::nullopt;

  const double total = spread(figures);
  // Figures that differ by rounding alone do not differ.
  const double rounding = 1e-12 * (std::abs(mean_of(figures)) + 1e-300);
  if (total <= static_cast<double>(figures.size()) * rounding * rounding) return std::nullopt;
  double within = 0;
  for (const auto& [choice, group] : groups) within += spread(group);
  const auto n = static_cast<double>(figures.size());
  const auto k = static_cast<double>(groups.size());
  return std::max(0.0, 1 - within / (n - k) / (total / (n - 1)));
}

}  // namespace weft::explore
