// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

#include "arch/network/header.h"

namespace weft::models {

/// Combines two flits in lanes of 32 bits, two's complement: to[k] = to[k] op from[k].
inline void combine(arch::PacketOp op, std::span<std::uint64_t> to,
                    std::span<const std::uint64_t> from) {
  const auto lanes = [&](auto&& lane_op) {
    for (std::size_t k = 0; k < to.size(); ++k) {
      std::uint64_t word = 0;
      for (int shift = 0; shift < 64; shift += 32) {
        const auto a = static_cast<std::uint32_t>(to[k] >> shift);
        const auto b = static_cast<std::uint32_t>(from[k] >> shift);
        word |= static_cast<std::uint64_t>(lane_op(a, b)) << shift;
      }
      to[k] = word;
    }
  };
  const auto is_less = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  };
  switch (op) {
    case arch::PacketOp::sum:
      return lanes(std::plus<>());
    case arch::PacketOp::min:
      return lanes([&](std::uint32_t a, std::uint32_t b) { return std::min(a, b, is_less); });
    case arch::PacketOp::max:
      return lanes([&](std::uint32_t a, std::uint32_t b) { return std::max(a, b, is_less); });
    case arch::PacketOp::unicast:
    case arch::PacketOp::multicast:
      break;  // nothing is combined
  }
}

}  // namespace weft::models
