// SPDX-License-Identifier: Apache-2.0
#include "verif/dut_description.h"

#include <algorithm>

namespace weft::verif {
namespace {

std::size_t container_bytes(int width) {
  if (width <= 8) return 1;
  if (width <= 16) return 2;
  if (width <= 32) return 4;
  if (width <= 64) return 8;
  return 4 * ((static_cast<std::size_t>(width) + 31) / 32);
}

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

int lane_groups(const StreamPorts& stream) {
  int deepest = 0;
  const auto look = [&](const std::vector<int>& delays) {
    for (const int delay : delays) deepest = std::max(deepest, delay);
  };
  look(stream.valid_delays);
  for (const PayloadPort& port : stream.payload) look(port.lane_delays);
  return deepest + 1;
}

BeatLayout beat_layout(const StreamPorts& stream) { return beat_layout(stream.payload); }

BeatLayout beat_layout(std::span<const PayloadPort> ports) {
  BeatLayout layout;
  std::size_t end = 0;
  for (const PayloadPort& port : ports) {
    const std::size_t bytes = container_bytes(port.width);
    const std::size_t offset = round_up(end, bytes > 8 ? 4 : bytes);
    layout.fields.push_back({offset, bytes, port.width});
    end = offset + bytes;
  }
  layout.stride = std::max<std::size_t>(8, round_up(end, 8));
  return layout;
}

}  // namespace weft::verif
