// SPDX-License-Identifier: Apache-2.0
#include "testbenches/link/link_cosim.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "testbenches/link/link_scenario.h"

namespace weft::verif {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

LinkCosimReport run_cosim(const arch::Link& link, const LinkRtl& rtl,
                          const LinkCosimOptions& options) {
  const LinkScenarios scenarios(link, options.seed);
  LinkCosimReport report;
  report.seed = options.seed;
  report.tests.suite = link.name;
  LinkEnd end{link, nullptr, describe(link, rtl)};
  BuildOptions build = options.build;
  build.trace = options.trace.has_value();
  if (options.progress) options.progress("building the design");
  const BuiltDut built = build_dut(end.description, build);
  end.library = built.library;
  report.digest = built.digest;
  report.cached = built.cached;
  report.build_seconds = built.seconds;

  const auto start = std::chrono::steady_clock::now();
  LinkBench bench(end);
  if (options.trace) report.waveforms = bench.trace(*options.trace);
  const auto flits = [&bench] { return bench.totals(0).flits + bench.totals(1).flits; };
  std::uint64_t directed_flits = 0;
  const auto wanted = [&](std::uint64_t index) {
    if (options.scenario) return index == *options.scenario;
    if (index <= scenarios.directed()) directed_flits = flits();
    return index < scenarios.directed() || flits() < directed_flits + options.transactions;
  };
  for (std::uint64_t index = options.scenario.value_or(0); report.passed() && wanted(index);
       ++index) {
    const LinkScenario scenario = scenarios.scenario(index);
    const auto scenario_start = std::chrono::steady_clock::now();
    const std::string problem = bench.run(scenario);
    ++report.scenarios;
    TestReport::Case& test = report.tests.find(scenario.name);
    test.seconds += seconds_since(scenario_start);
    if (!problem.empty()) {
      report.first_mismatch = fmt::format("scenario {} ({}): {}", index, scenario.name, problem);
      report.reproduce =
          fmt::format("{} --seed {} --scenario {} --trace", options.command, options.seed, index);
      test.failure = report.first_mismatch;
    }
    if (options.progress) {
      options.progress(fmt::format("{} scenarios, {} cycles, {} flits", report.scenarios,
                                   bench.cycles(), flits()));
    }
  }
  report.run_seconds = seconds_since(start);
  report.cycles = bench.cycles();
  report.totals = {bench.totals(0), bench.totals(1)};
  report.restarts = bench.restarts();
  report.coverage = bench.coverage();
  return report;
}

nlohmann::ordered_json to_json(const LinkCosimReport& report) {
  const auto& [there, back] = report.totals;
  nlohmann::ordered_json json;
  json["status"] = report.passed() ? "pass" : "fail";
  json["seed"] = report.seed;
  json["scenarios"] = report.scenarios;
  json["cycles"] = report.cycles;
  json["flits"] = there.flits + back.flits;
  json["bad_frames"] = there.errors + back.errors;
  json["replays"] = there.replays + back.replays;
  json["restarts"] = report.restarts;
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
