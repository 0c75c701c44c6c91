// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/network/routing.h"
#include "verif/network/endpoint_options.h"

namespace weft::verif {

/// Where packets go.
enum class Spread {
  uniform,      ///< from everywhere to everywhere
  permutation,  ///< each input to an output of its own
  hotspot,      ///< half of them to one output
  all_to_one,
  one_to_all,
};
enum class Lengths {
  single,       ///< one flit
  longest,      ///< max_packet_flits
  every,        ///< 1, 2, ... max_packet_flits, 1, ...
  alternating,  ///< long, single, long, single
  random,
};
enum class Collectives { none, multicast, reduction, both };
/// Whether the scenario's purpose is to measure what the contract promises.
enum class Measure {
  nothing,
  waits,    ///< sources and next hops never pause: the wait of a head is bounded
  bubbles,  ///< and each output is fed by one input: a flit in every cycle
  latency,  ///< one packet at a time
};

/// One experiment, from a reset on until everything has come out.
struct SwitchScenario {
  std::string name;
  EndpointOptions endpoints;
  Spread spread = Spread::uniform;
  Lengths lengths = Lengths::random;
  Collectives collectives = Collectives::none;
  unsigned collective_percent = 0;  ///< of the packets
  unsigned load = 100;              ///< percent of the flits that ports can carry; 100: never idle
  bool mix_classes = true;          ///< otherwise one class, `traffic_class`
  int traffic_class = 0;
  std::uint64_t packets = 0;
  Measure measure = Measure::nothing;
  arch::Position position;
  std::uint64_t reset_length = 1;
  /// Cycles after which the switch is reset in the midst of it; then everything begins anew.
  std::vector<std::uint64_t> cuts;
  std::uint64_t seed = 1;
};

}  // namespace weft::verif
