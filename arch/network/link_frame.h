// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "arch/network/link.h"

namespace weft::arch {

/// Where the fields of a frame lie, in bits from bit 0 (docs/link.md, "Frames"). A field of width 0
/// is absent.
struct FrameLayout {
  explicit FrameLayout(const Link& link);

  struct Field {
    int offset = 0;
    int width = 0;
  };
  Field crc, kind, request, retried, acknowledge, sequence, credit, credit_vc, vc, flit;

  int fields = 0;      ///< bits of all fields but the CRC
  int phits = 0;       ///< PHITS: cycles that a frame takes
  int bits = 0;        ///< FRAME: with the padding
  int lane_bits = 0;   ///< of a frame on one lane: PHITS * lane_width
  int phit_width = 0;  ///< bits of all lanes in a cycle
};

/// The kinds of frames; the values are those of the field.
enum class FrameKind { idle = 0, data = 1, init = 2 };

/// Parameter words of init frames.
inline constexpr int init_words = 5;
inline constexpr int link_protocol_version = 1;

/// The value of parameter word `index`, 0 .. init_words - 1.
[[nodiscard]] int init_value(const Link& link, int index);

/// The generator polynomial of a CRC, without its highest term.
[[nodiscard]] std::uint32_t crc_polynomial(int crc_width);

}  // namespace weft::arch
