// SPDX-License-Identifier: Apache-2.0
#include "testbenches/activity/lane_delay.h"

#include <algorithm>
#include <utility>

namespace weft::verif {
namespace {

bool bit_of(std::span<const std::uint8_t> bytes, std::size_t bit) {
  return (bytes[bit / 8] >> (bit % 8) & 1U) != 0;
}

}  // namespace

LaneDelay::LaneDelay(int bits, std::vector<int> delays) : delays_(std::move(delays)) {
  if (delays_.empty()) return;
  lane_bits_ = static_cast<std::size_t>(bits) / delays_.size();
  const int longest = *std::ranges::max_element(delays_);
  past_.assign(static_cast<std::size_t>(longest) + 1,
               std::vector<std::uint8_t>((static_cast<std::size_t>(bits) + 7) / 8));
}

LaneDelay LaneDelay::aligning(int bits, std::vector<int> delays) {
  if (!delays.empty()) {
    const int longest = *std::ranges::max_element(delays);
    for (int& delay : delays) delay = longest - delay;
  }
  return {bits, std::move(delays)};
}

void LaneDelay::pass(std::span<std::uint8_t> port) {
  if (delays_.empty()) return;
  std::copy_n(port.begin(), past_[now_].size(), past_[now_].begin());
  for (std::size_t lane = 0; lane < delays_.size(); ++lane) {
    const auto delay = static_cast<std::size_t>(delays_[lane]);
    const auto& then = past_[(now_ + past_.size() - delay) % past_.size()];
    for (std::size_t bit = lane * lane_bits_; bit < (lane + 1) * lane_bits_; ++bit) {
      const auto mask = static_cast<std::uint8_t>(1U << (bit % 8));
      port[bit / 8] = static_cast<std::uint8_t>(bit_of(then, bit) ? port[bit / 8] | mask
                                                                  : port[bit / 8] & ~mask);
    }
  }
  now_ = (now_ + 1) % past_.size();
}

}  // namespace weft::verif
