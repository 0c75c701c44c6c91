// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "arch/params/declaration.h"
#include "arch/params/random.h"

namespace weft::arch {

/// Everything that defines a link: both of its endpoints are this (docs/link.md). The members are
/// the parameters that link.cpp declares, with legal values, unit and meaning, and hold their
/// defaults. After reading a configuration every member has its final value.
struct Link {
  std::string name = "weft_link";
  int flit_width = 64;
  int virtual_channels = 1;
  int lanes = 8;
  int lane_width = 16;
  int crc_width = 32;
  int channel_latency = 4;
  int replay_depth = 0;    ///< 0 only before resolved()
  int sequence_width = 0;  ///< 0 only before resolved()
  int buffer_depth = 0;    ///< 0 only before resolved()
  int retry_timeout = 0;   ///< 0 only before resolved()
  int realign_frames = 16;
  int quiet_frames = 0;  ///< 0 only before resolved()

  bool operator==(const Link&) const = default;
};

template <>
const Declaration<Link>& declaration();

/// The link with everything that is 0 as `auto` gives it: what a configuration that leaves it out
/// describes. For links that are built in code.
[[nodiscard]] Link resolved(Link link);

/// A legal link; `narrowed` as for random_values, for example {{"flit_width", IntRange{16, 80}}}.
[[nodiscard]] Link random_link(std::mt19937_64& random, const Narrowed& narrowed = {});

}  // namespace weft::arch
