// SPDX-License-Identifier: Apache-2.0
#include "workbench/load_meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/cpu_time.h"
#include "base/error.h"

namespace weft::workbench {
namespace {

/// So little load that packets hardly ever meet.
constexpr double zero_load = 0.005;
constexpr double zero_load_packets = 500;  ///< in a run, on average

}  // namespace

void require_load(double load, std::string_view prefix) {
  if (load > 0 && load <= 1) return;
  throw UserError(
      fmt::format("{}load: {} is not a load: flits/node/cycle above 0, at most 1", prefix, load));
}

verif::TrafficSpec offered_traffic(const arch::Switch& design, const std::string& traffic,
                                   const std::string& packet, double load,
                                   std::string_view prefix) {
  verif::TrafficSpec spec = verif::parse_traffic(traffic);
  if (!verif::takes_load(spec) || !verif::takes_packet_flits(spec)) {
    throw UserError(
        fmt::format("{}traffic: {} brings its own load or packets; give a pattern that does not",
                    prefix, spec.pattern));
  }
  require_load(load, prefix);
  spec.load = load;
  spec.packet_flits = verif::parse_distribution(packet, fmt::format("{}packet", prefix), 1,
                                                design.max_packet_flits);
  return spec;
}

LoadMeter::LoadMeter(SwitchModel& model, int ports, verif::TrafficSpec traffic,
                     LoadMeterOptions options)
    : model_(model), ports_(ports), traffic_(std::move(traffic)), options_(std::move(options)) {}

verif::LoadPoint LoadMeter::at(double load) { return point(traffic_, load, options_.phases); }

double LoadMeter::zero_load_latency() {
  verif::TrafficSpec traffic = traffic_;
  if (traffic.parameters.contains("burst")) traffic.parameters["burst"] = 0;
  verif::RunPhases phases = options_.phases;
  const double cycles =
      zero_load_packets * verif::mean(traffic.packet_flits) / (zero_load * ports_);
  phases.measurement = std::max(phases.measurement, static_cast<std::uint64_t>(std::ceil(cycles)));
  return point(traffic, zero_load, phases).mean_latency.mean;
}

verif::LoadPoint LoadMeter::point(verif::TrafficSpec traffic, double load,
                                  const verif::RunPhases& phases) {
  traffic.load = load;
  std::vector<verif::RunResult> runs;
  const double begin = base::thread_cpu_seconds();
  for (std::uint64_t n = 0; n < (phases.finite ? 1 : options_.seeds); ++n) {
    const std::uint64_t seed = options_.seed + n;
    if (options_.progress) {
      options_.progress(phases.finite ? "playing the trace"
                                      : fmt::format("load {:.4g}, seed {}", load, seed));
    }
    const auto packets = verif::make_traffic(traffic, ports_, seed);
    runs.push_back(model_.run(*packets, phases));
    cycles_ += runs.back().cycles;
    if (!runs.back().violation.empty()) {
      throw UserError(fmt::format("load {:.4g}, seed {}: the {} model violates its contract: {}",
                                  load, seed, options_.model, runs.back().violation));
    }
  }
  verif::LoadPoint result = verif::make_load_point(load, runs);
  result.cpu_seconds = base::thread_cpu_seconds() - begin;
  return result;
}

}  // namespace weft::workbench
