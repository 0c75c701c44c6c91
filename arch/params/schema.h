// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "arch/params/kind.h"

namespace weft::arch {

/// A JSON Schema (draft-07, the one that editors know best) that accepts exactly the configurations
/// of the kinds that read_configuration accepts, rules between parameters included, but for the
/// kinds' checks: those that a schema cannot say stand in its descriptions.
[[nodiscard]] nlohmann::ordered_json json_schema(const std::vector<const Kind*>& kinds);

}  // namespace weft::arch
