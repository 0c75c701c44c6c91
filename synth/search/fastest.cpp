// SPDX-License-Identifier: Apache-2.0
#include "synth/search/fastest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "synth/fpga/device.h"
#include "synth/search/probes.h"

namespace weft::synth {
namespace {

/// Periods in picoseconds: ABC takes whole ones.
using Picoseconds = long long;

Picoseconds up_to_ps(double ns) {
  return std::max(1LL, static_cast<Picoseconds>(std::ceil(ns * 1000 - 1e-6)));
}

class Search {
 public:
  Search(const Request& request, const SearchOptions& options)
      : request_(request), options_(options), prober_(request, options.jobs) {}

  FastestClock run() {
    // The shortest period of all shows how fast the design gets when ABC does all it can.
    try_periods({1, up_to_ps(request_.clock_ns)});
    if (shortest_path_ns() <= 0)
      throw UserError(fmt::format("{}: the design has no path that a clock could be too fast for",
                                  request_.top));
    find_one_that_is_met();
    for (;;) {
      const auto [missed, met] = interval();
      const auto tolerance = std::max(1.0, options_.tolerance * static_cast<double>(met));
      if (static_cast<double>(met - missed) <= tolerance) break;
      std::vector<Picoseconds> cuts;
      const auto jobs = static_cast<Picoseconds>(prober_.jobs());
      for (Picoseconds i = 1; i <= jobs; ++i) {
        const Picoseconds cut = missed + (met - missed) * i / (jobs + 1);
        if (cut > missed && cut < met && (cuts.empty() || cut > cuts.back())) cuts.push_back(cut);
      }
      try_periods(cuts);
    }
    return found();
  }

 private:
  void try_periods(const std::vector<Picoseconds>& periods) {
    std::vector<ProbePoint> points;
    for (const Picoseconds period : periods)
      points.push_back({request_.recipe.name, static_cast<double>(period) / 1000});
    for (Result& result : prober_.probe(points)) results_.push_back(std::move(result));
  }

  [[nodiscard]] double shortest_path_ns() const {
    return std::ranges::min_element(results_, {}, &Result::critical_path_ns)->critical_path_ns;
  }

  /// The result of the shortest period that is met, or null.
  [[nodiscard]] const Result* best() const {
    const Result* best = nullptr;
    for (const Result& result : results_)
      if (result.meets_timing() && (best == nullptr || result.clock_ns < best->clock_ns))
        best = &result;
    return best;
  }

  /// The period of the shortest path that was seen is a good guess; synthesis that is asked for
  /// less may do worse, so a little more is tried as well.
  void find_one_that_is_met() {
    constexpr double steps = 0.04;
    for (int i = 0; best() == nullptr; i += 2) {
      if (i > 40)
        throw UserError(fmt::format("{}: no clock period up to {:.3f} ns is met", request_.top,
                                    (1 + steps * i) * shortest_path_ns()));
      const double path = shortest_path_ns();
      try_periods({up_to_ps(path * (1 + steps * i)), up_to_ps(path * (1 + steps * (i + 1)))});
    }
  }

  /// The longest period that is missed, or out of reach, and the shortest that is met.
  [[nodiscard]] std::pair<Picoseconds, Picoseconds> interval() const {
    const Picoseconds met = up_to_ps(best()->clock_ns);
    constexpr double out_of_reach = 0.8;
    auto missed = static_cast<Picoseconds>(out_of_reach * 1000 * shortest_path_ns());
    for (const Result& result : results_)
      if (const auto period = up_to_ps(result.clock_ns); period < met)
        missed = std::max(missed, period);
    return {std::min(missed, met - 1), met};
  }

  FastestClock found() {
    FastestClock fastest;
    fastest.result = *best();
    for (const Result& result : results_)
      if (result.clock_ns < fastest.result.clock_ns)
        fastest.missed_ns = std::max(fastest.missed_ns, result.clock_ns);
    std::ranges::stable_sort(results_, {}, &Result::clock_ns);
    fastest.probes = std::move(results_);
    return fastest;
  }

  const Request& request_;
  const SearchOptions& options_;
  Prober prober_;
  std::vector<Result> results_;
};

}  // namespace

const Result& FastestClock::shortest_path() const {
  return *std::ranges::min_element(probes, {}, &Result::critical_path_ns);
}

FastestClock find_fastest_clock(const Request& request, const SearchOptions& options) {
  if (!(options.tolerance >= 1e-4 && options.tolerance <= 0.5))
    throw UserError(fmt::format("tolerance {} is outside 0.0001..0.5", options.tolerance));
  if (find_fpga(request.target) != nullptr)
    throw UserError(
        fmt::format("target {}: the fastest clock is searched for on cell libraries; "
                    "placing and routing gives that of an FPGA",
                    request.target));
  return Search(request, options).run();
}

nlohmann::ordered_json to_json(const FastestClock& fastest, const SearchOptions& options) {
  nlohmann::ordered_json json = to_json(fastest.result);
  json.erase("by_module");
  auto probes = nlohmann::ordered_json::array();
  for (const Result& probe : fastest.probes)
    probes.push_back({{"clock_ns", probe.clock_ns},
                      {"critical_path_ns", probe.critical_path_ns},
                      {"area_um2", probe.area_um2},
                      {"meets_timing", probe.meets_timing()}});
  json["search"] = {
      {"tolerance", options.tolerance}, {"missed_ns", fastest.missed_ns}, {"probes", probes}};
  return json;
}

std::string to_text(const FastestClock& fastest) {
  std::string text =
      fmt::format("fastest clock: {:.3f} ns ({:.1f} MHz), {} periods tried, {:.3f} ns missed\n",
                  fastest.result.clock_ns, 1000 / fastest.result.clock_ns, fastest.probes.size(),
                  fastest.missed_ns);
  const Result& shortest = fastest.shortest_path();
  if (shortest.critical_path_ns < fastest.result.critical_path_ns)
    text += fmt::format("  asked for {:.3f} ns it reached {:.3f} ns, with {:.2f} um2\n",
                        shortest.clock_ns, shortest.critical_path_ns, shortest.area_um2);
  return text + "\n" + to_text(fastest.result);
}

}  // namespace weft::synth
