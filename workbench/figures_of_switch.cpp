// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "arch/network/switch_pins.h"
#include "arch/network/switch_timing.h"
#include "base/error.h"
#include "systemc_models/switch/cycle_switch.h"
#include "testbenches/switch/cosim.h"
#include "workbench/figures.h"
#include "workbench/load_meter.h"
#include "workbench/recordings.h"
#include "workbench/rtl.h"

namespace weft::workbench {
namespace {

/// So long that below saturation means repeat to about a percent.
verif::RunPhases phases_of(const arch::Switch& design) {
  constexpr std::uint64_t node_cycles = 1'600'000;
  verif::RunPhases phases;
  phases.measurement =
      std::max(phases.measurement, node_cycles / static_cast<std::uint64_t>(design.ports));
  return phases;
}

/// Flits that wait in queues at most. A `crossbar` has none: its flits wait at the ports.
double queue_places(const arch::Switch& design) {
  if (design.organisation == arch::Organisation::crossbar) return 0;
  return static_cast<double>(design.ports) * arch::PinLayout(design).queues * design.buffer_depth;
}

class SwitchFigures : public Figurist {
 public:
  explicit SwitchFigures(const Conditions& conditions) : conditions_(conditions) {
    if (!conditions.workloads.empty())
      throw UserError("workloads are for tensor arrays; a switch has traffic");
    // What is wrong with the traffic whatever the switch is like.
    (void)offered_traffic(arch::Switch{}, conditions.traffic, "1", conditions.load);
  }

  [[nodiscard]] std::vector<Metric> metrics(Depth depth) const override {
    std::vector<Metric> result;
    const auto add = [&](const char* name, const char* unit, const char* doc) {
      result.push_back({name, unit, doc, depth});
    };
    switch (depth) {
      case Depth::estimate:
        add("latency", "cycles", "Port to port of an idle switch.");
        add("credit_round_trip", "cycles", "Until a credit can be used again.");
        add("vc_throughput", "flits/cycle", "Of one virtual channel, sustained.");
        add("buffer_bits", "bits", "Of the flits that all queues hold.");
        break;
      case Depth::model:
        add("zero_load_latency", "cycles", "Mean, of packets that hardly ever meet.");
        add("accepted_load", "flits/node/cycle", "Of what is offered at the load.");
        add("mean_latency", "cycles", "At the load; none if it is not stable.");
        add("p99_latency", "cycles", "At the load, of 99 % of packets; none if it is not stable.");
        add("saturation_throughput", "flits/node/cycle", "Accepted at full load.");
        break;
      case Depth::synth:
        if (conditions_.energy) add("energy_per_flit_pj", "pJ", "Energy over the flits.");
        break;
      case Depth::cosim:
        add("mismatches", "", "Wrong bits, cycles and packets of the RTL.");
        add("flits_compared", "flits", "That came out of the RTL.");
        add("cycles_compared", "cycles", "Cycles of RTL that were compared.");
        break;
    }
    return result;
  }

  [[nodiscard]] nlohmann::json relevant(Depth depth) const override {
    const auto traffic = [&] {
      return nlohmann::json{{"traffic", conditions_.traffic},
                            {"packet", conditions_.packet},
                            {"load", conditions_.load},
                            {"seed", conditions_.seed}};
    };
    switch (depth) {
      case Depth::estimate:
        return {};
      case Depth::model:
        return traffic();
      case Depth::synth:
        return conditions_.energy ? traffic() : nlohmann::json();
      case Depth::cosim:
        return {{"transactions", conditions_.transactions}, {"seed", conditions_.seed}};
    }
    return {};
  }

  void estimate(const arch::Config& config, std::vector<double>& figures) override {
    const auto& design = std::get<arch::Switch>(config.design);
    const arch::SwitchTiming timing(design);
    figures = {static_cast<double>(timing.latency), static_cast<double>(timing.credit_round_trip),
               timing.vc_throughput, queue_places(design) * design.flit_width};
  }

  [[nodiscard]] std::vector<double> model(const arch::Config& config) override {
    const auto& design = std::get<arch::Switch>(config.design);
    const auto simulation =
        make_pin_model(design, false, std::make_unique<models::CycleSwitch>(design));
    LoadMeter meter(*simulation, design.ports, traffic(design),
                    {.phases = phases_of(design),
                     .seed = conditions_.seed,
                     .seeds = 1,
                     .model = "cycle",
                     .progress = {}});
    const double zero_load_latency = meter.zero_load_latency();
    const auto loaded = meter.at(conditions_.load);
    const auto full = meter.at(1);
    return {zero_load_latency, loaded.accepted.mean,
            loaded.stable() ? loaded.mean_latency.mean : absent,
            loaded.stable() ? loaded.p99_latency.mean : absent, full.accepted.mean};
  }

  [[nodiscard]] std::vector<double> cosim(const arch::Config& config) override {
    const auto& design = std::get<arch::Switch>(config.design);
    verif::CosimOptions options;
    options.seed = conditions_.seed;
    options.transactions = conditions_.transactions;
    options.build = build_options(conditions_);
    const auto report = verif::run_switch_cosim(design, rtl_of(rtl::emit(config)), options);
    const verif::SwitchTotals& totals = report.totals;
    const auto mismatches = totals.mismatches + totals.cycle_mismatches + totals.violations;
    return {static_cast<double>(report.passed() ? 0 : std::max<std::uint64_t>(1, mismatches)),
            static_cast<double>(totals.flits), static_cast<double>(totals.cycles)};
  }

  [[nodiscard]] std::vector<verif::Recording> record(
      const arch::Config& config, const rtl::Emission& emission,
      const verif::RecordingOptions& options) override {
    const auto& design = std::get<arch::Switch>(config.design);
    std::vector<verif::Recording> recordings;
    recordings.push_back(record_traffic(design, emission, traffic(design), options));
    return recordings;
  }

 private:
  [[nodiscard]] verif::TrafficSpec traffic(const arch::Switch& design) const {
    return offered_traffic(design, conditions_.traffic, conditions_.packet, conditions_.load);
  }

  Conditions conditions_;
};

}  // namespace

std::unique_ptr<Figurist> figurist_of(const arch::Switch*, const Conditions& conditions) {
  return std::make_unique<SwitchFigures>(conditions);
}

}  // namespace weft::workbench
