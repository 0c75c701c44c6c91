// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <random>
#include <string>

#include "arch/params/kind.h"

namespace weft::arch {

/// Narrower domains for some parameters, by name: {{"rows", IntRange{1, 12}}}.
using Narrowed = std::map<std::string, Domain>;

/// Draws a value for every parameter from its (narrowed) domain, and `auto` for every
/// second one that may be. As long as a rule or a check is not satisfied, one of the parameters
/// that it is about is drawn anew: every legal combination can come, and those that need several
/// parameters to agree are not rare. Throws std::invalid_argument if that leads nowhere.
[[nodiscard]] Values random_values(const Kind& kind, std::mt19937_64& random,
                                   const Narrowed& narrowed = {});

}  // namespace weft::arch
