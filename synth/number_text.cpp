// SPDX-License-Identifier: Apache-2.0
#include "synth/number_text.h"

#include <fmt/format.h>

#include <cstddef>

namespace weft::synth {

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string area_text(double area) {
  return area < 1000 ? fmt::format("{:.2f}", area) : grouped(area);
}

}  // namespace weft::synth
