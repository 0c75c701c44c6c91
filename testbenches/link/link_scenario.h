// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "arch/network/link.h"
#include "testbenches/link/channel.h"

namespace weft::verif {

/// Traffic and wire of one direction. Direction d is from end d to end 1 - d.
struct LinkDirection {
  std::uint64_t flits = 0;      ///< to be taken
  unsigned load = 100;          ///< percent of the cycles in which a flit is offered
  unsigned ready = 100;         ///< percent of the time in which the far end's user takes flits
  std::uint64_t ready_run = 1;  ///< cycles for which that stays as it is
  int latency = 1;              ///< of the wire, cycles, at least 1
  ChannelFaults faults;
};

/// Something that happens once, at a cycle of the run.
struct LinkEvent {
  enum class Kind { reset, cut };
  Kind kind = Kind::reset;
  std::uint64_t cycle = 0;
  int place = 0;             ///< the end that is reset, the direction that is cut
  std::uint64_t length = 1;  ///< cycles
};

/// One experiment with two ends, from their reset until they are drained.
struct LinkScenario {
  std::string name;
  std::uint64_t seed = 1;
  std::array<LinkDirection, 2> directions;
  std::vector<LinkEvent> events;
};

/// The experiments of a co-simulation: first those that aim at something, then random ones. A
/// scenario depends on its index and the seed only.
class LinkScenarios {
 public:
  LinkScenarios(const arch::Link& link, std::uint64_t seed);

  /// How many aim at something.
  [[nodiscard]] std::uint64_t directed() const { return directed_.size(); }
  [[nodiscard]] LinkScenario scenario(std::uint64_t index) const;

 private:
  [[nodiscard]] LinkScenario random_scenario(std::uint64_t index) const;

  arch::Link link_;
  std::uint64_t seed_;
  std::vector<LinkScenario> directed_;
};

}  // namespace weft::verif
