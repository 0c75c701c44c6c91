// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "systemc_models/switch/cycle_switch.h"

namespace weft::verif {

/// Who waits for whom in a switch, a line a queue, for people.
[[nodiscard]] std::string to_text(const std::vector<models::Waiting>& waiting);

}  // namespace weft::verif
