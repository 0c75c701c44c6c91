// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace weft::explore {

/// Objectives of one design, all to be minimised.
using Objectives = std::vector<double>;

/// Whether a is nowhere worse than b and somewhere better.
[[nodiscard]] bool dominates(const Objectives& a, const Objectives& b);

/// Indices of those that no other dominates, ascending; of equal ones all. O(n log n) for two
/// objectives, and quick enough for a million points with few on the front for more.
[[nodiscard]] std::vector<std::size_t> front(const std::vector<Objectives>& points);

/// The rank of each by non-dominated sorting: 0 on the front, 1 on the front of the rest ...
/// (K. Deb et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE Trans.
/// Evol. Comput. 6(2), 2002).
[[nodiscard]] std::vector<std::size_t> ranks(const std::vector<Objectives>& points);

/// Crowding distance of each within `members` (same paper): infinite at the ends.
[[nodiscard]] std::vector<double> crowding(const std::vector<Objectives>& points,
                                           const std::vector<std::size_t>& members);

/// Volume that is dominated by the points and dominates the reference. Exact.
[[nodiscard]] double hypervolume(const std::vector<Objectives>& points,
                                 const Objectives& reference);

}  // namespace weft::explore
