// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/credit_ledger.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/network/switch_timing.h"

namespace weft::verif {

CreditLedger::CreditLedger(const arch::Switch& design, const SwitchTargets& targets,
                           Violations& violations)
    : targets_(&targets),
      violations_(&violations),
      queues_(arch::PinLayout(design).queues),
      delay_(arch::SwitchTiming(design).output_stages),
      owed_(index(design.ports, 0)),
      contributed_(index(design.ports, 0)) {
  reset();
}

void CreditLedger::reset() {
  owed_.assign(owed_.size(), 0);
  contributed_.assign(contributed_.size(), 0);
  open_.clear();
  pulses_.assign(static_cast<std::size_t>(delay_) + 1, {});
}

void CreditLedger::sent(const Packet& packet, int /*index*/, std::uint64_t /*cycle*/) {
  if ((*targets_)[packet.injection.destination].reduction()) {
    ++contributed_[index(packet.injection.source, packet.queue)];
  }
}

void CreditLedger::received(const Packet& packet, int /*index*/, int output, int /*vc*/,
                            std::uint64_t /*cycle*/) {
  const SwitchTargets::Entry& target = (*targets_)[packet.injection.destination];
  if (target.reduction()) return;
  if (target.op() == arch::PacketOp::multicast) {
    // One departure for all copies: the first output counts it.
    for (int first = 0; first < output; ++first) {
      if (target.header.mask[static_cast<std::size_t>(first)]) return;
    }
  }
  const std::size_t place = index(packet.injection.source, packet.queue);
  if (owed_[place]++ == 0) open_.push_back(place);
}

void CreditLedger::credit(int input, int queue, std::uint64_t cycle) {
  pulses_[cycle % pulses_.size()].push_back(index(input, queue));
}

void CreditLedger::complain(std::size_t place, std::uint64_t cycle, const char* what) {
  violations_->add(Violation::credit, [&] {
    return fmt::format("cycle {}: input {}, queue {}: {}", cycle, static_cast<int>(place) / queues_,
                       static_cast<int>(place) % queues_, what);
  });
}

void CreditLedger::end_cycle(std::uint64_t cycle) {
  if (cycle < static_cast<std::uint64_t>(delay_)) return;
  const std::uint64_t then = cycle - static_cast<std::uint64_t>(delay_);
  std::vector<std::size_t>& pulses = pulses_[then % pulses_.size()];
  for (const std::size_t place : pulses) {
    if (owed_[place] > 0) {
      --owed_[place];
    } else if (contributed_[place] > 0) {
      --contributed_[place];
    } else {
      complain(place, then, "gives a credit, but no flit has left it");
    }
  }
  for (const std::size_t place : open_) {
    if (owed_[place] == 0) continue;
    if (std::find(pulses.begin(), pulses.end(), place) == pulses.end()) {
      complain(place, then, "a flit has left it and it gives no credit");
    }
  }
  std::erase_if(open_, [this](std::size_t place) { return owed_[place] == 0; });
  pulses.clear();
}

}  // namespace weft::verif
