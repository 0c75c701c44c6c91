// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::verif {

/// A number with its probability; the shares of a distribution add up to 1.
struct Share {
  int value = 0;
  double share = 1;

  bool operator==(const Share&) const = default;
};
using Distribution = std::vector<Share>;

[[nodiscard]] double mean(const Distribution& distribution);
[[nodiscard]] int largest(const Distribution& distribution);

/// What traffic is wanted. parse_traffic() makes the pattern with its parameters; the rest has
/// fields of its own because it means the same in every pattern.
struct TrafficSpec {
  std::string pattern = "uniform";
  /// Parameters of the pattern, all present and checked: those not given have their defaults.
  std::map<std::string, std::string> parameters;
  double load = 0.1;                  ///< offered flits/node/cycle, 0..1; not of a trace
  Distribution packet_flits{{1, 1}};  ///< lengths of packets; not of a trace
  Distribution classes{{0, 1}};       ///< traffic classes; not of a trace
};

/// Reads "pattern" or "pattern:name=value,name=value" (docs/network.md lists them). Throws
/// UserError for unknown patterns and parameters, with the nearest name, and for values that are
/// out of range or malformed.
[[nodiscard]] TrafficSpec parse_traffic(std::string_view text);

/// Reads "4" (always 4) or "1:0.5,5:0.5" (value:share). `what` names the values in errors ("packet
/// length"); they must be at least `least`. Throws UserError.
[[nodiscard]] Distribution parse_distribution(std::string_view text, std::string_view what,
                                              int least);

/// A line a pattern: name, parameters with their defaults, meaning. For help texts and errors.
[[nodiscard]] std::string traffic_help();

}  // namespace weft::verif
