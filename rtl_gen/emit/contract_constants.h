// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "arch/config.h"

namespace weft::rtl {

/// The part of the manifest that differs from kind to kind: `formats` of the operands or `header`
/// of the packets or `frame` of the wire, and the constants of the timing contract, `latency`, each
/// with value, formula and meaning.
[[nodiscard]] nlohmann::ordered_json contract_constants(const arch::Config& config);

}  // namespace weft::rtl
