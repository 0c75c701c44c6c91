// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/wait_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "arch/network/switch_timing.h"

namespace weft::verif {

namespace {

/// Cycles from a departure until its credit can be used again: to the output, one cycle there, and
/// back.
int round_trip_of_output(const arch::SwitchTiming& timing) { return timing.output_stages + 4; }

/// Whether a VC of an output that no packet holds has room for a head in every cycle, and a packet
/// that enters in one piece has a flit in its queue in every cycle until its tail has left. A next
/// hop that is always ready leaves room always.
bool credits_cover(const arch::Switch& design, const arch::SwitchTiming& timing) {
  if (design.flow_control == arch::FlowControl::ready_valid) return true;
  const int room = design.switching == arch::Switching::wormhole ? 1 : design.max_packet_flits;
  const int round_trip_of_input = timing.input_stages + 4;
  return timing.output_credits >= round_trip_of_output(timing) + room &&
         design.buffer_depth >= round_trip_of_input;
}

/// Whether a head has its turn even though its output has credits in some cycles only: nothing but
/// its own service moves the output's turn beyond it, or its input's.
bool turns_wait(const arch::Switch& design) {
  if (design.virtual_channels > 1) return false;
  if (design.organisation == arch::Organisation::output_queued ||
      design.organisation == arch::Organisation::central_buffer) {
    return true;
  }
  switch (design.allocator) {
    case arch::Allocator::matrix:
      return true;
    case arch::Allocator::round_robin:
      return design.separable == arch::Separable::output_first;
    case arch::Allocator::islip:
      return design.islip_iterations == 1;
    case arch::Allocator::wavefront:
      return false;
  }
  return false;
}

}  // namespace

std::uint64_t wait_bound(const arch::Switch& design, int traffic_class) {
  const arch::SwitchTiming timing(design);
  const bool classes = design.traffic_classes > 1;
  const bool weighted = design.class_priority == arch::ClassPriority::weighted;
  if (!credits_cover(design, timing) && !turns_wait(design)) return 0;
  if (classes && !weighted && traffic_class > 0) return 0;
  if (classes && weighted && design.speculative_allocation) return 0;
  const bool stays = design.allocator == arch::Allocator::islip && design.islip_iterations > 1;
  const int turns = design.allocator == arch::Allocator::wavefront ? 3 : stays ? 4 : 1;
  const int round_trip = round_trip_of_output(timing);
  const int credits = std::max(1, std::min(timing.output_credits, design.buffer_depth));
  const int packet =
      design.max_packet_flits * std::max(1, (round_trip + credits - 1) / credits) + round_trip;
  const int shares = classes && weighted ? std::accumulate(design.class_weights.begin(),
                                                           design.class_weights.end(), 0)
                                         : 1;
  const auto product = [](auto... factors) {
    return (std::uint64_t{1} * ... * static_cast<std::uint64_t>(factors));
  };
  return product(design.ports, design.ports, design.virtual_channels, shares, turns, packet);
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
