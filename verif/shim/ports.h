// SPDX-License-Identifier: Apache-2.0
//
// Ports of a Verilated model and their containers in packed beats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "verilated.h"

namespace weft_shim {

/// Writes a port from its container in a packed beat. Verilator does not mask what is written to a
/// narrow port, so it is done here.
template <int Width, typename Port>
inline void put(Port& port, const std::uint8_t* at) {
  if constexpr (std::is_integral_v<Port>) {
    std::memcpy(&port, at, sizeof port);
    if constexpr (Width < 8 * static_cast<int>(sizeof(Port))) {
      port &= static_cast<Port>((Port{1} << Width) - 1);
    }
  } else {
    std::memcpy(port.data(), at, sizeof(port));
    if constexpr (Width % 32 != 0) {
      port.data()[Width / 32] &= (1U << (Width % 32)) - 1;
    }
  }
}

/// Reads a port into its container in a packed beat.
template <typename Port>
inline void get(const Port& port, std::uint8_t* at) {
  std::memcpy(at, &port, sizeof port);
}

/// True when any bit of the port is set.
template <typename Port>
inline bool any(const Port& port) {
  if constexpr (std::is_integral_v<Port>) {
    return port != 0;
  } else {
    for (std::size_t i = 0; i < sizeof(port) / sizeof(EData); ++i) {
      if (port[i] != 0) return true;
    }
    return false;
  }
}

}  // namespace weft_shim
