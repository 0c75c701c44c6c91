// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/switch.h"

namespace weft::verif {

/// Sizes at which everything can happen and that are built quickly.
inline arch::Narrowed small_sizes() {
  using arch::IntRange;
  return {{"ports", IntRange{2, 6}},
          {"flit_width", IntRange{16, 130}},
          {"virtual_channels", IntRange{1, 4}},
          {"buffer_depth", IntRange{1, 12}},
          {"max_packet_flits", IntRange{1, 9}},
          {"credits", IntRange{1, 20}},
          {"destinations", IntRange{1, 40}},
          {"mesh_columns", IntRange{1, 6}},
          {"mesh_rows", IntRange{1, 6}}};
}

}  // namespace weft::verif
