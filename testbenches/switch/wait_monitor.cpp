// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/wait_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "arch/network/switch_timing.h"

namespace weft::verif {

std::uint64_t wait_bound(const arch::Switch& design, int traffic_class) {
  if (design.virtual_channels > 1) return 0;
  const bool classes = design.traffic_classes > 1;
  const bool weighted = design.class_priority == arch::ClassPriority::weighted;
  if (classes && !weighted && traffic_class > 0) return 0;
  if (classes && weighted && design.speculative_allocation) return 0;
  const bool stays = design.allocator == arch::Allocator::islip && design.islip_iterations > 1;
  const int turns = design.allocator == arch::Allocator::wavefront ? 3 : stays ? 4 : 1;
  const arch::SwitchTiming timing(design);
  // From a departure until its credit can be used again: to the output, one cycle there, and back.
  const int round_trip = timing.output_stages + 4;
  const int credits = std::max(1, std::min(timing.output_credits, design.buffer_depth));
  const int packet =
      design.max_packet_flits * std::max(1, (round_trip + credits - 1) / credits) + round_trip;
  const int shares = classes && weighted ? std::accumulate(design.class_weights.begin(),
                                                           design.class_weights.end(), 0)
                                         : 1;
  return static_cast<std::uint64_t>(design.ports) * static_cast<std::uint64_t>(design.ports) *
         static_cast<std::uint64_t>(shares) * static_cast<std::uint64_t>(turns) *
         static_cast<std::uint64_t>(packet);
}

WaitMonitor::WaitMonitor(const arch::Switch& design, Violations& violations)
    : design_(design), violations_(&violations) {
  const arch::SwitchTiming timing(design);
  input_stages_ = timing.input_stages;
  output_stages_ = timing.output_stages;
  for (int c = 0; c < design.traffic_classes; ++c) bounds_.push_back(wait_bound(design, c));
  reset(false);
}

void WaitMonitor::reset(bool enforce) {
  free_.assign(static_cast<std::size_t>(design_.ports * design_.virtual_channels * design_.ports),
               0);
  enforce_ = enforce;
}

void WaitMonitor::sent(const Packet& /*packet*/, int /*index*/, std::uint64_t /*cycle*/) {}
void WaitMonitor::credit(int /*input*/, int /*queue*/, std::uint64_t /*cycle*/) {}

void WaitMonitor::received(const Packet& packet, int index, int output, int /*vc*/,
                           std::uint64_t cycle) {
  if (!enforce_) return;
  const std::uint64_t departure = cycle - 1 - static_cast<std::uint64_t>(output_stages_);
  // Whatever shares its queue leaves in order.
  const bool one_queue = design_.organisation == arch::Organisation::input_queued ||
                         design_.organisation == arch::Organisation::crossbar;
  std::uint64_t& free = free_[static_cast<std::size_t>(
      (packet.injection.source * design_.virtual_channels + packet.vc) * design_.ports +
      (one_queue ? 0 : output))];
  if (index == 0) {
    // Without queues it waits on the port.
    const std::uint64_t in_queue =
        design_.organisation == arch::Organisation::crossbar
            ? packet.presented
            : packet.injected + 1 + static_cast<std::uint64_t>(input_stages_);
    const std::uint64_t could = std::max(in_queue, free);
    const std::uint64_t wait = departure > could ? departure - could : 0;
    longest_ = std::max(longest_, wait);
    const std::uint64_t bound = bounds_[static_cast<std::size_t>(packet.injection.traffic_class)];
    if (bound > 0) longest_bounded_ = std::max(longest_bounded_, wait);
    if (bound > 0 && wait > bound) {
      violations_->add(Violation::starved, [&] {
        return fmt::format(
            "cycle {}: output {}: packet {} of input {} was at the front of its queue for {} "
            "cycles, the bound is {}",
            cycle, output, packet.injection.id, packet.injection.source, wait, bound);
      });
    }
  }
  free = departure + 1;
}

}  // namespace weft::verif
