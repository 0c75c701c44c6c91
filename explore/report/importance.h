// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace weft::explore {

/// The share of a figure's variance that a parameter explains by itself: the correlation ratio of
/// the figure given the choice, with the correction for the number of choices that makes it 0 on
/// average where there is no relation (epsilon squared: T. L. Kelley, "An unbiased correlation
/// ratio measure", PNAS 21(9), 1935). 0 to 1. Of positive figures the logarithm is taken, since
/// sizes multiply. Both vectors have one element a design. Nothing where it cannot be told: a
/// figure that never changes, a single choice, or as many choices as designs.
[[nodiscard]] std::optional<double> importance(const std::vector<std::uint32_t>& choices,
                                               std::vector<double> figures);

}  // namespace weft::explore
