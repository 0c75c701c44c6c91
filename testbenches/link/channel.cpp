// SPDX-License-Identifier: Apache-2.0
#include "testbenches/link/channel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "arch/network/link_frame.h"

namespace weft::verif {
namespace {

/// Uniform in (0, 1].
double fraction(Random& random) { return (static_cast<double>(random.bits() >> 11) + 1) * 0x1p-53; }

/// Failures before the first success, at this probability of success.
std::uint64_t geometric(Random& random, double probability) {
  constexpr double never = 1e18;
  if (probability <= 0) return static_cast<std::uint64_t>(never);
  const double gap = std::floor(std::log(fraction(random)) / std::log1p(-probability));
  return static_cast<std::uint64_t>(std::min(gap, never));
}

void invert(std::vector<std::uint64_t>& words, int bit) {
  words[static_cast<std::size_t>(bit / 64)] ^= std::uint64_t{1} << (bit % 64);
}

}  // namespace

Channel::Channel(const arch::Link& link, int latency, std::uint64_t seed)
    : lanes_(link.lanes),
      lane_width_(link.lane_width),
      phits_(static_cast<std::size_t>(arch::FrameLayout(link).phits)),
      latency_(static_cast<std::size_t>(latency)),
      random_(seed) {
  const Phit zeros(static_cast<std::size_t>((lanes_ * lane_width_ + 63) / 64));
  line_.assign(latency_, zeros);
  set_faults({});
}

void Channel::set_faults(const ChannelFaults& faults) {
  faults_ = faults;
  error_free_ = geometric(random_, faults.bit_errors);
}

bool Channel::happens(double probability) {
  return probability > 0 && fraction(random_) <= probability;
}

void Channel::send(std::span<const std::uint64_t> sent, bool first) {
  Phit phit(sent.begin(), sent.end());
  history_.push_front(phit);
  replace_frame(phit, first);
  invert_bits(phit);
  burst(phit);
  if (cut_) std::fill(phit.begin(), phit.end(), 0);
  line_.pop_front();
  const bool slip = happens(faults_.slips);
  const bool may_lose = !line_.empty();
  if (slip && may_lose && random_.chance(50)) return;
  line_.push_back(phit);
  if (slip && line_.size() < 2 * latency_ + 2) line_.push_back(std::move(phit));
}

void Channel::replace_frame(Phit& phit, bool first) {
  if (first) {
    losing_ = happens(faults_.lost_frames);
    repeating_ = !losing_ && happens(faults_.repeated_frames);
  }
  if (losing_) std::fill(phit.begin(), phit.end(), 0);
  const std::size_t age = phits_ * static_cast<std::size_t>(faults_.repeated_age);
  if (repeating_ && age < history_.size()) phit = history_[age];
  while (history_.size() > age) history_.pop_back();
}

void Channel::invert_bits(Phit& phit) {
  const auto width = static_cast<std::uint64_t>(lanes_) * static_cast<std::uint64_t>(lane_width_);
  while (error_free_ < width) {
    invert(phit, static_cast<int>(error_free_));
    error_free_ += 1 + geometric(random_, faults_.bit_errors);
  }
  error_free_ -= width;
}

void Channel::burst(Phit& phit) {
  int from = 0;
  if (burst_left_ == 0 && happens(faults_.bursts)) {
    burst_left_ = faults_.burst_bits;
    burst_lane_ = static_cast<int>(random_.below(static_cast<std::uint64_t>(lanes_)));
    from = static_cast<int>(random_.below(static_cast<std::uint64_t>(lane_width_)));
    invert(phit, burst_lane_ * lane_width_ + from);
    ++from;
    --burst_left_;
  }
  for (; from < lane_width_ && burst_left_ > 0; ++from, --burst_left_) {
    if (random_.chance(50)) invert(phit, burst_lane_ * lane_width_ + from);
  }
}

}  // namespace weft::verif
