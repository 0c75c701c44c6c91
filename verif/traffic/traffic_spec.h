// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "verif/traffic/distribution.h"

namespace weft::verif {

/// What the packets of a trace may be, so that an error names the line of one that the device which
/// the trace is for does not take.
struct TraceLimits {
  int longest_packet = 1 << 30;  ///< in flits
  int traffic_classes = 256;
};

/// What traffic is wanted. parse_traffic() makes the pattern and its parameters; the rest has
/// fields of its own because it means the same in every pattern, except that traces and
/// request_response bring their own packet lengths and classes, and traces their own load.
struct TrafficSpec {
  std::string pattern = "uniform";
  /// All parameters of the pattern: those not given have their defaults.
  std::map<std::string, double> parameters{{"self", 1}, {"burst", 0}};
  std::string file;                   ///< of a trace
  TraceLimits trace_limits;           ///< of its packets
  double load = 0.1;                  ///< offered flits/node/cycle, 0..1
  Distribution packet_flits{{1, 1}};  ///< lengths of packets
  Distribution classes{{0, 1}};       ///< traffic classes
};

/// Reads "pattern", "pattern:name=value,name=value" (docs/network.md lists them) or "trace:PATH".
/// Throws UserError for unknown patterns and parameters, with the nearest name, and for values that
/// are malformed or out of range.
[[nodiscard]] TrafficSpec parse_traffic(std::string_view text);

/// Whether the pattern takes load and packet lengths from the specification.
[[nodiscard]] bool takes_load(const TrafficSpec& spec);
[[nodiscard]] bool takes_packet_flits(const TrafficSpec& spec);

/// A line a pattern: name, parameters with their defaults, meaning.
[[nodiscard]] std::string traffic_help();

}  // namespace weft::verif
