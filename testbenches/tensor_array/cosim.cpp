// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/cosim.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "testbenches/tensor_array/array_bench.h"
#include "testbenches/tensor_array/array_coverage.h"
#include "testbenches/tensor_array/dut_ports.h"
#include "testbenches/tensor_array/stimuli.h"

namespace weft::verif {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Tells about progress, at most once a second.
class Progress {
 public:
  explicit Progress(const std::function<void(const std::string&)>& tell) : tell_(tell) {}

  template <typename Text>
  void operator()(Text&& text) {
    if (!tell_ || seconds_since(last_) < 1) return;
    last_ = Clock::now();
    tell_(text());
  }

 private:
  const std::function<void(const std::string&)>& tell_;
  Clock::time_point last_ = Clock::now();
};

std::string describe(std::uint64_t index, const Scenario& scenario, const std::string& mismatch) {
  return fmt::format("scenario {} ({}; back pressure {}, pauses {}): {}", index, scenario.name,
                     to_string(scenario.pressure), to_string(scenario.pauses), mismatch);
}

}  // namespace

CosimReport run_cosim(const arch::TensorArray& array, const ArrayRtl& rtl,
                      const CosimOptions& options) {
  CosimReport report;
  report.seed = options.seed;
  report.tests.suite = array.name;
  const DutDescription description = describe_array(array, rtl.files, rtl.top, rtl.parameters);
  BuildOptions build = options.build;
  build.trace = options.trace.has_value();
  const BuiltDut built = build_dut(description, build);
  report.build_seconds = built.seconds;
  report.cached = built.cached;
  report.digest = built.digest;

  const auto start = Clock::now();
  const Stimuli stimuli(array, options.seed);
  ArrayCoverage coverage(array);
  ArrayBench bench(array, description, built.library, options.seed);
  if (options.trace) bench.trace(*options.trace);
  Progress progress(options.progress);

  for (std::uint64_t index = 0;; ++index) {
    const bool random = index >= stimuli.directed();
    if (random && report.transactions >= options.transactions) break;
    Scenario scenario = stimuli.scenario(index);
    if (random) {
      const std::uint64_t left = options.transactions - report.transactions;
      if (scenario.traffic.tiles.size() > left) scenario.traffic.tiles.resize(left);
      report.transactions += scenario.traffic.tiles.size();
    }
    if (options.scenario && index != *options.scenario) continue;

    const auto scenario_start = Clock::now();
    bench.run(scenario);
    coverage.record(scenario, bench.prediction());
    ++report.scenarios;
    TestReport::Case& test = report.tests.find(scenario.name);
    test.seconds += seconds_since(scenario_start);
    if (!bench.scoreboard().first_mismatch().empty()) {
      report.first_mismatch = describe(index, scenario, bench.scoreboard().first_mismatch());
      report.reproduce = fmt::format("{} --seed {} --transactions {} --scenario {} --trace",
                                     options.command, options.seed, options.transactions, index);
      test.failure = report.first_mismatch + "\n" + report.reproduce;
      break;
    }
    progress([&] {
      return fmt::format("{} of {} random tiles, {} cycles, {} elements compared",
                         report.transactions, options.transactions, bench.cycles(),
                         bench.scoreboard().totals().elements);
    });
  }
  report.run_seconds = seconds_since(start);
  report.totals = bench.scoreboard().totals();
  report.rtl_cycles = bench.cycles();
  report.macs = bench.macs();
  report.coverage = coverage.corners();
  return report;
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
  json["run_seconds"] = report.run_seconds;
  json["build_seconds"] = report.build_seconds;
  json["cached"] = report.cached;
  json["design_digest"] = report.digest;
  if (!report.first_mismatch.empty()) {
    json["first_mismatch"] = report.first_mismatch;
    json["reproduce"] = report.reproduce;
  }
  nlohmann::ordered_json corners = nlohmann::ordered_json::object();
  for (const Coverage::Corner& corner : report.coverage.corners())
    corners[corner.name] = corner.hits;
  json["coverage"] = {{"reached", report.coverage.reached()},
                      {"of", report.coverage.corners().size()},
                      {"corners", corners}};
  return json;
}

}  // namespace weft::verif
