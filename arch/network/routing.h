// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "arch/network/header.h"
#include "arch/network/switch.h"

namespace weft::arch {

/// A switch's place in a mesh.
struct Position {
  int x = 0;
  int y = 0;
};

/// The outputs that a unicast head may take: one, or two with adaptive routing, the east/west one
/// first.
struct OutputChoice {
  int first = 0;
  int second = -1;  ///< -1: there is no choice
};

/// The outputs for a header that enters by `input` (docs/switch.md, "Routing").
[[nodiscard]] OutputChoice route(const Switch& design, const Header& header, int input,
                                 Position position = {});

/// The header as it leaves the switch: source routing consumes its port, look-ahead routing names
/// the next one.
[[nodiscard]] Header forwarded(const Switch& design, const Header& header);

/// The `route` field that leads to output port `output` of this switch (at `position`), by the
/// first of the legal ones. Throws UserError when none does.
[[nodiscard]] std::uint64_t route_to(const Switch& design, int output, Position position = {});

/// QUEUES: queues of an input.
[[nodiscard]] int queues(const Switch& design);

/// Index of the queue in which a flit for `output` in `vc` waits; `collective`: its packet's op is
/// not unicast.
[[nodiscard]] int queue_index(const Switch& design, int output, int vc, bool collective);

}  // namespace weft::arch
