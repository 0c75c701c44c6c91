// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/route_parts.h"

#include <algorithm>
#include <cstdint>

namespace weft::rtl {

using namespace hdl;

Expr BitField::bits(int high, int low) const {
  if (width == 1) return signal;
  return high == low ? signal.at(low) : signal(high, low);
}

BitField RouteModule::field(const std::string& name, int low, int width,
                            const std::string& note) const {
  return {m.let(name, flit.part(offset + low, width), note), width};
}

Expr constant_bits(const std::vector<bool>& bits) {
  constexpr std::size_t piece = 32;
  std::vector<Expr> pieces;
  for (std::size_t low = 0; low < bits.size(); low += piece) {
    const std::size_t width = std::min(piece, bits.size() - low);
    std::int64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value * 2 + (bits[low + i] ? 1 : 0);
    pieces.insert(pieces.begin(), hex(static_cast<int>(width), value));
  }
  return pieces.size() == 1 ? pieces.front() : cat(pieces);
}

}  // namespace weft::rtl
