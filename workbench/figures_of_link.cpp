// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <variant>

#include "arch/network/link_timing.h"
#include "base/error.h"
#include "testbenches/link/goodput.h"
#include "testbenches/link/link_cosim.h"
#include "testbenches/link/link_rtl.h"
#include "workbench/figures.h"

namespace weft::workbench {
namespace {

/// In each direction. Long enough for averages that repeat to about a percent where errors are not
/// rare; where they are, they hardly count.
constexpr std::uint64_t modelled_flits = 20'000;

class LinkFigures : public Figurist {
 public:
  explicit LinkFigures(const Conditions& conditions) : conditions_(conditions) {
    if (!conditions.workloads.empty())
      throw UserError("workloads are for tensor arrays; a link has none");
    if (conditions.energy) throw UserError("energy: no workload can be measured on a link yet");
    if (!(conditions.bit_error_rate >= 0 && conditions.bit_error_rate < 1)) {
      throw UserError(fmt::format("bit error rate: {} is not a probability of at least 0, below 1",
                                  conditions.bit_error_rate));
    }
  }

  [[nodiscard]] std::vector<Metric> metrics(Depth depth) const override {
    std::vector<Metric> result;
    const auto add = [&](const char* name, const char* unit, const char* doc) {
      result.push_back({name, unit, doc, depth});
    };
    switch (depth) {
      case Depth::estimate:
        add("latency", "cycles", "From in to out of an idle link.");
        add("payload_bits", "bits/cycle", "Of flits of one VC, without errors.");
        add("efficiency", "", "Those of all bits on the lanes.");
        add("replay_round_trip", "frames", "Until a place in the replay buffer is free again.");
        add("expected_goodput", "flits/frame",
            "At the bit error rate, if neither credits nor replay buffer limit.");
        break;
      case Depth::model:
        add("goodput", "flits/frame", "At the bit error rate, both directions fully loaded.");
        add("goodput_bits", "bits/cycle", "Of flits, in one direction.");
        break;
      case Depth::synth:
        break;
      case Depth::cosim:
        add("mismatches", "", "Whether the RTL did anything else than the model.");
        add("flits_compared", "flits", "That came out, of both directions.");
        add("cycles_compared", "cycles", "Cycles of RTL that were compared.");
        break;
    }
    return result;
  }

  [[nodiscard]] nlohmann::json relevant(Depth depth) const override {
    const nlohmann::json errors{{"bit_error_rate", conditions_.bit_error_rate}};
    switch (depth) {
      case Depth::estimate:
        return errors;
      case Depth::model:
        return {errors, {{"seed", conditions_.seed}}};
      case Depth::synth:
        return {};
      case Depth::cosim:
        return {{"transactions", conditions_.transactions}, {"seed", conditions_.seed}};
    }
    return {};
  }

  void estimate(const arch::Config& config, std::vector<double>& figures) override {
    const auto& link = std::get<arch::Link>(config.design);
    const arch::LinkTiming timing(link);
    const double bits = timing.error_free_rate * link.flit_width / timing.phits;
    const double error = arch::frame_error_probability(link, conditions_.bit_error_rate);
    figures = {static_cast<double>(timing.latency), bits,
               bits / (static_cast<double>(link.lanes) * link.lane_width),
               static_cast<double>(timing.replay_round_trip),
               arch::link_goodput(error, arch::frames_per_error(link, error))};
  }

  [[nodiscard]] std::vector<double> model(const arch::Config& config) override {
    const auto& link = std::get<arch::Link>(config.design);
    const verif::Goodput result = verif::measure_goodput(
        {link, nullptr, {}}, conditions_.bit_error_rate, modelled_flits, conditions_.seed);
    if (!result.problem.empty()) {
      throw UserError(fmt::format("{}: at a bit error rate of {}: {}", link.name,
                                  conditions_.bit_error_rate, result.problem));
    }
    return {result.goodput, result.goodput * link.flit_width / arch::LinkTiming(link).phits};
  }

  [[nodiscard]] std::vector<double> cosim(const arch::Config& config) override {
    const auto& link = std::get<arch::Link>(config.design);
    verif::LinkCosimOptions options;
    options.seed = conditions_.seed;
    options.transactions = conditions_.transactions;
    options.build = build_options(conditions_);
    const auto report = verif::run_cosim(link, verif::emitted_rtl(link), options);
    std::uint64_t flits = 0;
    for (const auto& direction : report.totals) flits += direction.flits;
    return {report.passed() ? 0.0 : 1.0, static_cast<double>(flits),
            static_cast<double>(report.cycles)};
  }

  [[nodiscard]] std::vector<verif::Recording> record(const arch::Config&, const rtl::Emission&,
                                                     const verif::RecordingOptions&) override {
    return {};
  }

 private:
  Conditions conditions_;
};

}  // namespace

std::unique_ptr<Figurist> figurist_of(const arch::Link*, const Conditions& conditions) {
  return std::make_unique<LinkFigures>(conditions);
}

}  // namespace weft::workbench
