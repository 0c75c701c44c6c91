// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "arch/tensor_array.h"
#include "arch/traffic.h"

namespace weft::models::testing {

/// A small array of any kind, by RapidCheck; shrinks towards a plain one.
arch::TensorArray any_array();

/// Random elements of an array's tile of this many moving beats.
arch::Tile random_tile(const arch::TensorArray& array, int beats, std::mt19937_64& random);

/// Tiles with gaps on both streams and back pressure, by RapidCheck.
arch::Traffic any_traffic(const arch::TensorArray& array);

}  // namespace weft::models::testing
