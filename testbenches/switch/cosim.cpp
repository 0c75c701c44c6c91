// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/cosim.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "systemc_models/switch/cycle_switch.h"
#include "testbenches/switch/switch_stimuli.h"
#include "testbenches/switch/wait_monitor.h"
#include "verif/scenario_range.h"

namespace weft::verif {
namespace {

using Clock = std::chrono::steady_clock;

/// Random packets up to which compiling with optimisation takes longer than it saves.
constexpr std::uint64_t short_run = 20000;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The design in its cosimulation: built, loaded, traced if wanted.
class Session {
 public:
  Session(const arch::Switch& design, const SwitchRtl& rtl, const CosimOptions& options,
          Judges judges, SwitchCosimReport& report)
      : description_(describe_switch(design, rtl)),
        built_(build(options)),
        rtl_(design, description_, built_.library, options.seed),
        model_(design),
        bench_(design, rtl_, judges == Judges::scoreboard ? nullptr : &model_) {
    report.build_seconds = built_.seconds;
    report.cached = built_.cached;
    report.digest = built_.digest;
    if (options.trace) rtl_.trace(*options.trace);
  }

  bool run(const SwitchScenario& scenario) {
    rtl_.set_reset_length(scenario.reset_length);
    return bench_.run(scenario);
  }
  [[nodiscard]] const SwitchBench& bench() const { return bench_; }

 private:
  [[nodiscard]] BuiltDut build(const CosimOptions& options) const {
    BuildOptions build = options.build;
    build.trace = options.trace.has_value();
    build.quick = build.quick || options.transactions <= short_run;
    if (options.progress) options.progress(fmt::format("building {}", description_.top));
    return build_dut(description_, build);
  }

  DutDescription description_;
  BuiltDut built_;
  RtlSwitch rtl_;
  models::CycleSwitch model_;
  SwitchBench bench_;
};

}  // namespace

SwitchCosimReport run_switch_cosim(const arch::Switch& design, const SwitchRtl& rtl,
                                   const CosimOptions& options, Judges judges) {
  SwitchCosimReport report;
  report.seed = options.seed;
  report.tests.suite = design.name;
  report.wait_bound = wait_bound(design, 0);
  const SwitchStimuli stimuli(design, options.seed);
  require_scenario(options, stimuli.directed(),
                   [&](std::uint64_t index) { return stimuli.scenario(index).packets; });
  Session session(design, rtl, options, judges, report);
  const Clock::time_point start = Clock::now();
  Clock::time_point told = start;
  for (std::uint64_t index = 0;; ++index) {
    const bool random = index >= stimuli.directed();
    if (random && report.transactions >= options.transactions) break;
    SwitchScenario scenario = stimuli.scenario(index);
    if (random) {
      scenario.packets = std::min(scenario.packets, options.transactions - report.transactions);
      report.transactions += scenario.packets;
    }
    if (options.scenario && index < *options.scenario) continue;
    if (options.scenario && index > *options.scenario) break;

    const Clock::time_point began = Clock::now();
    const bool good = session.run(scenario);
    TestReport::Case& test = report.tests.find(scenario.name);
    test.seconds += seconds_since(began);
    ++report.scenarios;
    if (!good) {
      report.first_mismatch = fmt::format("scenario {} ({}): {}", index, scenario.name,
                                          session.bench().first_mismatch());
      report.reproduce = fmt::format("{} --seed {} --transactions {} --scenario {} --trace",
                                     options.command, options.seed, options.transactions, index);
      test.failure = report.first_mismatch + "\n" + report.reproduce;
      if (session.bench().violations().any()) {
        report.noticed = session.bench().violations().first_kind();
      }
      break;
    }
    if (options.progress && seconds_since(told) > 1) {
      told = Clock::now();
      const SwitchTotals& totals = session.bench().totals();
      options.progress(fmt::format("{} of {} random packets, {} cycles, {} flits",
                                   report.transactions, options.transactions, totals.cycles,
                                   totals.flits));
    }
  }
  report.totals = session.bench().totals();
  report.coverage = session.bench().coverage().corners();
  report.run_seconds = seconds_since(start);
  return report;
}

nlohmann::ordered_json to_json(const SwitchCosimReport& report) {
  nlohmann::ordered_json json;
  json["status"] = report.passed() ? "pass" : "fail";
  json["seed"] = report.seed;
  json["transactions"] = report.transactions;
  json["scenarios"] = report.scenarios;
  json["packets"] = report.totals.packets;
  json["flits"] = report.totals.flits;
  json["mismatches"] = report.totals.mismatches;
  json["cycle_mismatches"] = report.totals.cycle_mismatches;
  json["violations"] = report.totals.violations;
  json["rtl_cycles"] = report.totals.cycles;
  json["longest_wait"] = report.totals.longest_wait;
  json["wait_bound"] = report.wait_bound;
  json["run_seconds"] = report.run_seconds;
  json["build_seconds"] = report.build_seconds;
  json["cached"] = report.cached;
  json["design_digest"] = report.digest;
  if (!report.passed()) {
    json["first_mismatch"] = report.first_mismatch;
    json["reproduce"] = report.reproduce;
  }
  json["coverage"] = to_json(report.coverage);
  return json;
}

}  // namespace weft::verif
