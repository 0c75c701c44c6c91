// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "arch/network/header.h"
#include "arch/network/routing.h"
#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "arch/network/switch_timing.h"

namespace weft::models::testing {

/// How sources and sinks behave; chances are of one cycle.
struct SwitchLoad {
  double start = 0.5;       ///< chance that a VC without a packet gets one
  double send = 1;          ///< chance that an input with a flit sends one
  double accept = 1;        ///< chance that a sink frees a place, or is ready
  double collective = 0.2;  ///< of the packets, where the design has collectives
  int longest_packet = 8;
};

/// Random packets for every port of a switch, and sinks behind it, both within the rules of
/// docs/switch.md: drive(), then the switch's cycle, then observe().
class SwitchTraffic {
 public:
  struct Packet {
    arch::Header header;
    int flits = 1;
  };

  SwitchTraffic(const arch::Switch& design, arch::Position position, SwitchLoad load,
                std::uint64_t seed);

  const arch::SwitchInputs& drive();
  void observe(const arch::SwitchOutputs& outputs);

  /// No packet begins from now on, but for those that reductions under way need.
  void stop();
  /// Whether every packet begun was sent completely.
  [[nodiscard]] bool all_sent() const;

  /// Credits that the source of an input holds for a queue; a sink's credits under way.
  [[nodiscard]] int source_credits(int input, int queue) const { return credits_[input][queue]; }
  [[nodiscard]] int sink_waiting(int output, int vc) const { return waiting_[output][vc]; }

  /// What was sent and what left, a flit at a time.
  std::function<void(int input, int vc, int queue, bool head, bool tail, const std::uint64_t* flit)>
      on_sent = [](auto...) {};
  std::function<void(int output, int vc, bool head, bool tail, const std::uint64_t* flit)>
      on_received = [](auto...) {};

 private:
  struct Current {
    Packet packet;
    int sent = 0;
    std::vector<std::uint64_t> flit;  // the next one
  };

  bool chance(double probability) {
    return std::uniform_real_distribution<>()(random_) < probability;
  }
  int below(int limit) { return std::uniform_int_distribution<>(0, limit - 1)(random_); }
  void begin_packets(int input);
  Packet unicast();
  Packet multicast();
  std::optional<Packet> next_reduction(int input, int vc);
  Packet reduction(std::uint64_t number) const;
  std::uint64_t any_route();
  void fill(Current& current);
  int queue_of(const Current& current, int input, int vc) const;

  arch::Switch design_;
  arch::PinLayout layout_;
  arch::Position position_;
  SwitchLoad load_;
  std::uint64_t seed_;
  std::mt19937_64 random_;
  arch::SwitchInputs inputs_;
  std::vector<std::vector<std::optional<Current>>> current_;  // [input][vc]
  std::vector<std::uint64_t> reductions_;                     // [input]: number of the next one
  std::uint64_t last_reduction_ = ~std::uint64_t{0};          // the numbers end here
  std::vector<std::vector<int>> credits_;                     // [input][queue]
  std::vector<std::vector<int>> waiting_;                     // [output][vc] flits in the sinks
};

}  // namespace weft::models::testing
