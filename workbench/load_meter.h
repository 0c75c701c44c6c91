// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "arch/network/switch.h"
#include "verif/network/analysis/load_point.h"
#include "verif/network/run_meter.h"
#include "verif/traffic/traffic_spec.h"
#include "workbench/switch_model.h"

namespace weft::workbench {

/// Traffic of the pattern at a load, in packets of these lengths. What errors call the three begins
/// with `prefix` ("--" on a command line).
/// @throws UserError for what is malformed or does not fit the switch, and for patterns that bring
/// their own load or packets.
[[nodiscard]] verif::TrafficSpec offered_traffic(const arch::Switch& design,
                                                 const std::string& traffic,
                                                 const std::string& packet, double load,
                                                 std::string_view prefix = "");

/// @throws UserError unless `load` is above 0 and at most 1.
void require_load(double load, std::string_view prefix);

/// How the points of a latency-throughput curve are measured (docs/network.md).
struct LoadMeterOptions {
  verif::RunPhases phases;
  std::uint64_t seed = 1;                            ///< of the first run
  std::uint64_t seeds = 3;                           ///< runs of a load; finite traffic has one
  std::string model = "cycle";                       ///< its name, for messages
  std::function<void(const std::string&)> progress;  ///< told what is measured; may be empty
};

/// Measures points of the latency-throughput curve of a switch.
class LoadMeter {
 public:
  /// `model` outlives the meter. The load of `traffic` does not count.
  LoadMeter(SwitchModel& model, int ports, verif::TrafficSpec traffic, LoadMeterOptions options);

  /// @throws UserError if the model violates its contract under this traffic.
  [[nodiscard]] verif::LoadPoint at(double load);
  /// Mean latency of packets that hardly ever meet, in cycles.
  [[nodiscard]] double zero_load_latency();

  /// Simulated in all.
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }

 private:
  verif::LoadPoint point(verif::TrafficSpec traffic, double load, const verif::RunPhases& phases);

  SwitchModel& model_;
  int ports_;
  verif::TrafficSpec traffic_;
  LoadMeterOptions options_;
  std::uint64_t cycles_ = 0;
};

}  // namespace weft::workbench
