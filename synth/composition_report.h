// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "synth/compose.h"

namespace weft::synth {

/// The JSON that `--json` gives: that of the result, with `tree`, `blocks` and `memories`, and
/// `comparison` if there is a flat result.
nlohmann::ordered_json to_json(const Composition& composition);

/// A table for people: totals, the modules as a tree, and how each block was measured.
std::string to_text(const Composition& composition);

}  // namespace weft::synth
