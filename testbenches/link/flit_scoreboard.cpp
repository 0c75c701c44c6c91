// SPDX-License-Identifier: Apache-2.0
#include "testbenches/link/flit_scoreboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weft::verif {
namespace {

std::string hex(std::span<const std::uint64_t> words) {
  std::string text;
  for (std::size_t i = words.size(); i > 0; --i) {
    text += fmt::format("{}{:016x}", text.empty() ? "" : "_", words[i - 1]);
  }
  return text;
}

constexpr std::size_t remembered = 64;

}  // namespace

FlitScoreboard::FlitScoreboard(const arch::Link& link, std::string direction, std::uint64_t seed)
    : direction_(std::move(direction)),
      flit_width_(link.flit_width),
      random_(seed),
      channels_(static_cast<std::size_t>(link.virtual_channels)) {}

std::span<const std::uint64_t> FlitScoreboard::offer(int vc) {
  VirtualChannel& channel = channels_[static_cast<std::size_t>(vc)];
  if (channel.offered.empty()) {
    channel.offered.resize(static_cast<std::size_t>((flit_width_ + 63) / 64));
    for (std::uint64_t& word : channel.offered) word = random_.bits();
    // The low 16 bits count, so that neighbours differ however narrow flits are.
    channel.offered[0] = (channel.offered[0] & ~std::uint64_t{0xFFFF}) | (channel.number & 0xFFFF);
    if (flit_width_ % 64 != 0) {
      channel.offered.back() &= (std::uint64_t{1} << (flit_width_ % 64)) - 1;
    }
  }
  return channel.offered;
}

void FlitScoreboard::taken(int vc) {
  VirtualChannel& channel = channels_[static_cast<std::size_t>(vc)];
  channel.under_way.push_back({channel.number++, std::exchange(channel.offered, {})});
  ++total_taken_;
}

void FlitScoreboard::left(int vc, std::span<const std::uint64_t> flit) {
  VirtualChannel& channel = channels_[static_cast<std::size_t>(vc)];
  while (!channel.under_way.empty() && channel.under_way.front().forgiven &&
         !std::ranges::equal(channel.under_way.front().bits, flit)) {
    channel.under_way.pop_front();
  }
  if (channel.under_way.empty() || !std::ranges::equal(channel.under_way.front().bits, flit)) {
    if (mismatch_.empty()) mismatch_ = explain(channel, vc, flit);
    return;
  }
  channel.recent.push_back(std::move(channel.under_way.front()));
  if (channel.recent.size() > remembered) channel.recent.pop_front();
  channel.under_way.pop_front();
  ++total_left_;
}

void FlitScoreboard::forgive() {
  for (VirtualChannel& channel : channels_) {
    for (Sent& sent : channel.under_way) sent.forgiven = true;
  }
}

std::uint64_t FlitScoreboard::owed() const {
  std::uint64_t count = 0;
  for (const VirtualChannel& channel : channels_) {
    count += static_cast<std::uint64_t>(
        std::ranges::count_if(channel.under_way, [](const Sent& sent) { return !sent.forgiven; }));
  }
  return count;
}

std::string FlitScoreboard::explain(const VirtualChannel& channel, int vc,
                                    std::span<const std::uint64_t> flit) const {
  const auto same = [&flit](const Sent& sent) { return std::ranges::equal(sent.bits, flit); };
  const auto ahead = std::ranges::find_if(channel.under_way, same);
  const auto behind = std::ranges::find_if(channel.recent, same);
  std::string what = "no flit that was sent in the channel: corrupted, or of another channel";
  if (ahead != channel.under_way.end()) {
    what = fmt::format("flit {}: {} lost or reordered", ahead->number,
                       ahead - channel.under_way.begin());
  } else if (behind != channel.recent.end()) {
    what = fmt::format("flit {} again: duplicated", behind->number);
  }
  const std::string expected = channel.under_way.empty()
                                   ? "nothing"
                                   : fmt::format("flit {} ({})", channel.under_way.front().number,
                                                 hex(channel.under_way.front().bits));
  return fmt::format("{}, VC {}: expected {}, got {}, which is {}", direction_, vc, expected,
                     hex(flit), what);
}

}  // namespace weft::verif
