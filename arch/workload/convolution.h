// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/numerics/matrix.h"
#include "arch/workload/layer.h"

/// Convolution as matrix products, one for each group:
/// A (pixels x window) x B (window x filters) = C (pixels x filters).
/// Pixel rows are ordered [image][out y][out x], window elements [channel of the group][ky][kx].
namespace weft::arch {

/// A of one group: every row is the window of the input under one output pixel, padding as zeros.
/// @param input [batch][channels][height][width]
[[nodiscard]] Operands im2col(const Convolution& conv, const std::vector<std::int32_t>& input,
                              std::int64_t group);

/// B of one group.
/// @param weights [filters][channels / groups][kernel height][kernel width]
[[nodiscard]] Operands filter_matrix(const Convolution& conv,
                                     const std::vector<std::int32_t>& weights, std::int64_t group);

/// Puts C of one group into its place.
/// @param output [batch][filters][out height][out width]
void place_output(const Convolution& conv, const Sums& c, std::int64_t group,
                  std::vector<std::int64_t>& output);

}  // namespace weft::arch
