// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "verif/traffic/traffic.h"

namespace weft::verif {

/// A closed loop: each node sends requests to the others, with at most `window` unanswered; the
/// tail of a request makes its destination create a response `service` cycles later. The load
/// counts both, and is reached as long as the window does not hold requests back.
[[nodiscard]] std::unique_ptr<Traffic> make_request_response(const TrafficSpec& spec, int nodes,
                                                             std::uint64_t seed);

}  // namespace weft::verif
