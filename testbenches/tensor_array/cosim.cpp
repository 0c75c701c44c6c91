// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/cosim.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/cpu_time.h"
#include "testbenches/tensor_array/array_coverage.h"
#include "testbenches/tensor_array/cosim_session.h"
#include "testbenches/tensor_array/stimuli.h"
#include "verif/scenario_range.h"

namespace weft::verif {
namespace {

std::string describe(std::uint64_t index, const Scenario& scenario, const std::string& mismatch) {
  return fmt::format("scenario {} ({}; back pressure {}, pauses {}): {}", index, scenario.name,
                     to_string(scenario.pressure), to_string(scenario.pauses), mismatch);
}

}  // namespace

CosimReport run_cosim(const arch::TensorArray& array, const ArrayRtl& rtl,
                      const CosimOptions& options) {
  const Stimuli stimuli(array, options.seed);
  require_scenario(options, stimuli.directed(), [&](std::uint64_t index) {
    return stimuli.scenario(index).traffic.tiles.size();
  });
  CosimSession session(array, rtl, options);
  CosimReport& report = session.report();
  ArrayCoverage coverage(array);
  for (std::uint64_t index = 0;; ++index) {
    const bool random = index >= stimuli.directed();
    if (random && report.transactions >= options.transactions) break;
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = base::thread_cpu_seconds();
    const std::uint64_t macs_before = session.bench().macs();
    Scenario scenario = stimuli.scenario(index);
    if (random) {
      const std::uint64_t left = options.transactions - report.transactions;
      if (scenario.traffic.tiles.size() > left) scenario.traffic.tiles.resize(left);
      report.transactions += scenario.traffic.tiles.size();
    }
    if (options.scenario && index < *options.scenario) continue;
    if (options.scenario && index > *options.scenario) break;

    session.bench().run(scenario);
    coverage.record(scenario, session.bench().prediction());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    TestReport::Case& test = report.tests.find(scenario.name);
    test.seconds += seconds;
    if (scenario.streaming) {
      report.streamed_macs += session.bench().macs() - macs_before;
      report.streaming_seconds += base::thread_cpu_seconds() - cpu_start;
    }
    ++report.scenarios;
    if (const std::string& text = session.bench().scoreboard().first_mismatch(); !text.empty()) {
      session.fail(test, describe(index, scenario, text),
                   fmt::format("--transactions {} --scenario {}", options.transactions, index));
      break;
    }
    session.progress([&] {
      return fmt::format("{} of {} random tiles, {} cycles, {} elements compared",
                         report.transactions, options.transactions, session.bench().cycles(),
                         session.bench().scoreboard().totals().elements);
    });
  }
  report.coverage = coverage.corners();
  return session.report();
}

nlohmann::ordered_json to_json(const CosimReport& report) {
  nlohmann::ordered_json json;
  json["status"] = report.passed() ? "pass" : "fail";
  json["seed"] = report.seed;
  json["transactions"] = report.transactions;
  json["scenarios"] = report.scenarios;
  json["elements_compared"] = report.totals.elements;
  json["mismatches"] = report.totals.mismatches;
  json["cycle_mismatches"] = report.totals.cycle_mismatches;
  json["rtl_cycles"] = report.rtl_cycles;
  json["macs"] = report.macs;
  json["macs_per_second"] = report.macs_per_second();
  json["streaming_seconds"] = report.streaming_seconds;
  json["run_seconds"] = report.run_seconds;
  json["build_seconds"] = report.build_seconds;
  json["cached"] = report.cached;
  json["design_digest"] = report.digest;
  if (!report.first_mismatch.empty()) {
    json["first_mismatch"] = report.first_mismatch;
    json["reproduce"] = report.reproduce;
  }
  json["coverage"] = to_json(report.coverage);
  return json;
}

}  // namespace weft::verif
