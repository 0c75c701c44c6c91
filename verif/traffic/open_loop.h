// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "verif/traffic/traffic.h"

namespace weft::verif {

/// Packets that come whatever becomes of those before. Without bursts each node creates a packet in
/// each cycle with probability load / mean flits; with bursts it sends packets back to back, one
/// flit a cycle, then pauses, both of geometric length.
[[nodiscard]] std::unique_ptr<Traffic> make_open_loop(const TrafficSpec& spec, int nodes,
                                                      std::uint64_t seed);

}  // namespace weft::verif
