// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <random>
#include <string>

#include "arch/params/kind.h"

namespace weft::arch {

/// Narrower domains for some parameters, by name: {{"rows", IntRange{1, 12}}}.
using Narrowed = std::map<std::string, Domain>;

/// Draws a value for every parameter, each uniformly over its (narrowed) domain and `auto` for
/// every second one that may be; draws anew until no rule is broken, so that the result is uniform
/// over the legal combinations.
[[nodiscard]] Values random_values(const Kind& kind, std::mt19937_64& random,
                                   const Narrowed& narrowed = {});

}  // namespace weft::arch
