// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/network/switch.h"
#include "verif/network/endpoint_observer.h"
#include "verif/network/violations.h"

namespace weft::verif {

/// Cycles within which a head at the front of its queue departs, as long as next hops return
/// credits at once and sources send packets in one piece; 0: there is no bound (docs/switch.md,
/// "Ordering, fairness, deadlock"), because more urgent classes, speculative requests of others, or
/// turns that come in step with scarce credits may keep it for ever.
///
/// An arbiter with rotating priority serves each of its N requests within N services, or as many
/// times more as priority stays where it is. A head may have to win against N inputs at its output,
/// its input may choose each of N outputs first, and each of V VCs for its output; each service
/// lasts as long as a packet, which is slower than its flits where its credits do not cover the
/// round trip. Weighted classes share in the ratio of their weights.
[[nodiscard]] std::uint64_t wait_bound(const arch::Switch& design, int traffic_class);

/// Measures how long heads wait at the fronts of their queues, from what is seen at the ports.
class WaitMonitor : public EndpointObserver {
 public:
  WaitMonitor(const arch::Switch& design, Violations& violations);

  void sent(const Packet& packet, int index, std::uint64_t cycle) override;
  void received(const Packet& packet, int index, int output, int vc, std::uint64_t cycle) override;
  void credit(int input, int queue, std::uint64_t cycle) override;

  /// Longest wait of a head so far, in cycles beyond the one in which it could depart.
  [[nodiscard]] std::uint64_t longest() const { return longest_; }
  /// Longest of those that are bounded.
  [[nodiscard]] std::uint64_t longest_bounded() const { return longest_bounded_; }

  /// A new scenario. With `enforce` a wait beyond the bound is a violation.
  void reset(bool enforce);

 private:
  arch::Switch design_;
  Violations* violations_;
  int input_stages_;
  int output_stages_;
  std::vector<std::uint64_t> bounds_;  ///< by class
  std::vector<std::uint64_t> free_;    ///< [input][vc][output]: its last flit departed before this
  bool enforce_ = false;
  std::uint64_t longest_ = 0;
  std::uint64_t longest_bounded_ = 0;
};

}  // namespace weft::verif
