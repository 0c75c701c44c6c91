// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "verif/network/analysis/load_point.h"

namespace weft::cli {

/// What `weft network` measured, and under which circumstances.
struct NetworkReport {
  std::string design;
  std::string digest;  ///< of the configuration
  int nodes = 0;
  std::string model;
  std::string traffic;
  std::string packet;   ///< lengths, as given; empty if the traffic brings its own
  std::string classes;  ///< the same
  std::string source;
  std::vector<std::uint64_t> seeds;
  verif::RunPhases phases;

  // Nothing for traffic without a load.
  std::optional<double> zero_load_latency;
  std::optional<double> saturation_throughput;  ///< accepted flits/node/cycle at full offered load
  std::optional<double> saturation_load;        ///< of a sweep: the largest load that was stable
  std::vector<verif::LoadPoint> points;         ///< by rising load
};

[[nodiscard]] std::string to_text(const NetworkReport& report);
[[nodiscard]] nlohmann::ordered_json to_json(const NetworkReport& report);
/// A line of column names, then a line a point.
[[nodiscard]] std::string to_csv(const NetworkReport& report);
/// The latency-throughput curve as a picture: mean and 99th percentile over the offered load.
[[nodiscard]] std::string to_svg(const NetworkReport& report);

}  // namespace weft::cli
