// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "arch/tensor_array.h"
#include "arch/traffic.h"
#include "verif/random.h"

namespace weft::verif {

/// What the operands of a tile are.
enum class TileData {
  random,    ///< uniform over the formats
  sparse,    ///< mostly zeros
  extremes,  ///< each element the format's least or greatest value, at random
  zeros,
  identity,        ///< stationary identity (output stationary: a diagonal walks over both operands)
  least_by_least,  ///< every element of both operands the least value of its format
  least_by_greatest,
  greatest_by_least,
  greatest_by_greatest,
  one_hot_stationary,  ///< one stationary element is not zero, moving random
  one_hot_moving,      ///< one element of each moving vector is not zero, stationary random
  single_row,  ///< only one row of PEs has non-zero stationary (output stationary: moving) elements
  single_column,  ///< only one column of PEs has non-zero stationary elements
  checkerboard,   ///< least and greatest values alternate
};

/// All kinds with their names.
struct NamedTileData {
  TileData data;
  std::string_view name;
};
[[nodiscard]] const std::vector<NamedTileData>& tile_data_kinds();

/// A tile of `beats` moving beats with such operands and random tags.
[[nodiscard]] arch::Tile make_tile(const arch::TensorArray& array, TileData data, int beats,
                                   Random& random);

}  // namespace weft::verif
