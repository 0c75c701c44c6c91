// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "arch/network/switch_timing.h"
#include "base/error.h"
#include "rtl_gen/emit/emission.h"
#include "systemc_models/switch/cycle_switch.h"
#include "testbenches/switch/cosim.h"
#include "verif/network/analysis/load_point.h"
#include "verif/network/traffic_run.h"
#include "verif/traffic/traffic_spec.h"
#include "workbench/figures.h"
#include "workbench/rtl.h"

namespace weft::workbench {
namespace {

/// So little load that packets hardly ever meet.
constexpr double zero_load = 0.005;
/// Long enough for averages that repeat to about a percent.
constexpr verif::RunPhases phases{
    .warmup = 2'000, .measurement = 10'000, .drain = 20'000, .patience = 10'000, .finite = false};

class SwitchFigures : public Figurist {
 public:
  explicit SwitchFigures(const Conditions& conditions)
      : conditions_(conditions), traffic_(verif::parse_traffic(conditions.traffic)) {
    if (!conditions.workloads.empty())
      throw UserError("workloads are for tensor arrays; a switch has traffic");
    if (!verif::takes_load(traffic_) || !verif::takes_packet_flits(traffic_))
      throw UserError("traffic: '" + traffic_.pattern + "' brings its own load or packets");
    if (!(conditions.load > 0 && conditions.load <= 1))
      throw UserError("load: flits/node/cycle above 0, at most 1");
  }

  [[nodiscard]] std::vector<Metric> metrics(Depth depth) const override {
    switch (depth) {
      case Depth::estimate:
        return {
            {"latency", "cycles", "Port to port of an idle switch.", depth},
            {"credit_round_trip", "cycles", "Until a credit can be used again.", depth},
            {"vc_throughput", "flits/cycle", "Of one virtual channel, sustained.", depth},
        };
      case Depth::model:
        return {
            {"zero_load_latency", "cycles", "Mean, of packets that hardly ever meet.", depth},
            {"accepted_load", "flits/node/cycle", "Of what is offered at the load.", depth},
            {"mean_latency", "cycles", "At the load; none if it is not stable.", depth},
            {"saturation_throughput", "flits/node/cycle", "Accepted at full load.", depth},
        };
      case Depth::synth:
        return {};
      case Depth::cosim:
        return {
            {"mismatches", "", "Wrong bits, cycles and packets of the RTL.", depth},
            {"flits_compared", "flits", "That came out of the RTL.", depth},
            {"cycles_compared", "cycles", "Cycles of RTL that were compared.", depth},
        };
    }
    return {};
  }

  void estimate(const arch::Config& config, std::vector<double>& figures) override {
    const auto& design = std::get<arch::Switch>(config.design);
    const arch::SwitchTiming timing(design);
    figures = {static_cast<double>(timing.latency), static_cast<double>(timing.credit_round_trip),
               timing.vc_throughput};
  }

  [[nodiscard]] std::vector<double> model(const arch::Config& config) override {
    const auto& design = std::get<arch::Switch>(config.design);
    const auto light = point(design, zero_load);
    const auto loaded = point(design, conditions_.load);
    const auto full = point(design, 1);
    return {light.mean_latency.mean, loaded.accepted.mean,
            loaded.stable() ? loaded.mean_latency.mean : absent, full.accepted.mean};
  }

  [[nodiscard]] std::vector<double> cosim(const arch::Config& config) override {
    const auto& design = std::get<arch::Switch>(config.design);
    verif::CosimOptions options;
    options.seed = conditions_.seed;
    options.transactions = conditions_.transactions;
    options.build.cache = conditions_.cache;
    const auto report = verif::run_switch_cosim(design, rtl_of(rtl::emit(config)), options);
    const verif::SwitchTotals& totals = report.totals;
    const auto mismatches = totals.mismatches + totals.cycle_mismatches + totals.violations;
    return {static_cast<double>(report.passed() ? 0 : std::max<std::uint64_t>(1, mismatches)),
            static_cast<double>(totals.flits), static_cast<double>(totals.cycles)};
  }

  [[nodiscard]] double macs(const arch::Config&) const override { return 0; }

 private:
  verif::LoadPoint point(const arch::Switch& design, double load) const {
    verif::TrafficSpec spec = traffic_;
    spec.load = load;
    spec.packet_flits =
        verif::parse_distribution(conditions_.packet, "packet", 1, design.max_packet_flits);
    models::CycleSwitch simulation(design);
    verif::EndpointOptions endpoints;
    endpoints.interleave = false;
    const auto traffic = verif::make_traffic(spec, design.ports, conditions_.seed);
    simulation.reset();
    const verif::RunResult run =
        verif::run_traffic(simulation, design, *traffic, phases, endpoints);
    return verif::make_load_point(load, std::vector{run});
  }

  Conditions conditions_;
  verif::TrafficSpec traffic_;
};

}  // namespace

std::unique_ptr<Figurist> figurist_of(const arch::Switch*, const Conditions& conditions) {
  return std::make_unique<SwitchFigures>(conditions);
}

}  // namespace weft::workbench
