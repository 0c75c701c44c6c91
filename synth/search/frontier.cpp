// SPDX-License-Identifier: Apache-2.0
#include "synth/search/frontier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/error.h"
#include "synth/fpga/device.h"
#include "synth/search/probes.h"

namespace weft::synth {
namespace {

constexpr double as_fast_as_it_gets_ns = 0.001;
constexpr double without_hurry_ns = 1000;

void take(const std::vector<Result>& results, std::vector<FrontierPoint>& points) {
  for (const Result& result : results)
    points.push_back(
        {result.recipe, result.clock_ns, result.area_um2, result.critical_path_ns, false});
}

/// Delays come as differences: what is nearer than this is equal.
constexpr double same_ns = 1e-6;

bool dominates(const FrontierPoint& a, const FrontierPoint& b) {
  const double later = a.critical_path_ns - b.critical_path_ns;
  return a.area_um2 <= b.area_um2 && later <= same_ns &&
         (a.area_um2 < b.area_um2 || later < -same_ns);
}

bool equal(const FrontierPoint& a, const FrontierPoint& b) {
  return a.area_um2 == b.area_um2 && std::abs(a.critical_path_ns - b.critical_path_ns) <= same_ns;
}

}  // namespace

void mark_dominated(std::vector<FrontierPoint>& points) {
  std::ranges::stable_sort(points, {}, [](const FrontierPoint& point) {
    return std::tuple(std::round(point.critical_path_ns / same_ns), point.area_um2, point.clock_ns);
  });
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto better = [&](const FrontierPoint& other) { return dominates(other, points[i]); };
    // Different periods often give the same netlist: the first stands for it.
    const auto again = [&](const FrontierPoint& other) { return equal(other, points[i]); };
    const auto before = points.begin() + static_cast<std::ptrdiff_t>(i);
    points[i].dominated =
        std::ranges::any_of(points, better) || std::any_of(points.begin(), before, again);
  }
}

Frontier find_frontier(const Request& request, const std::vector<std::string>& recipes, int clocks,
                       int jobs) {
  if (recipes.empty()) throw UserError("the frontier needs at least one recipe");
  if (clocks < 0 || clocks > 100)
    throw UserError(fmt::format("{} clocks for the frontier is outside 0..100", clocks));
  if (find_fpga(request.target) != nullptr)
    throw UserError(
        fmt::format("target {}: the frontier is measured on cell libraries", request.target));
  Prober prober(request, jobs);
  std::vector<ProbePoint> ends;
  for (const std::string& recipe : recipes)
    for (const double clock : {as_fast_as_it_gets_ns, without_hurry_ns})
      ends.push_back({recipe, clock});
  Frontier frontier{request.top, request.target, {}};
  take(prober.probe(ends), frontier.points);
  const auto [fastest, slowest] =
      std::ranges::minmax(frontier.points, {}, &FrontierPoint::critical_path_ns);
  std::vector<ProbePoint> between;
  const double ratio = slowest.critical_path_ns / fastest.critical_path_ns;
  if (fastest.critical_path_ns > 0 && ratio > 1)
    for (int i = 0; i < clocks; ++i) {
      const double place = clocks == 1 ? 0.5 : static_cast<double>(i) / (clocks - 1);
      const double clock =
          std::round(1000 * fastest.critical_path_ns * std::pow(ratio, place)) / 1000;
      for (const std::string& recipe : recipes) between.push_back({recipe, clock});
    }
  take(prober.probe(between), frontier.points);
  mark_dominated(frontier.points);
  return frontier;
}

nlohmann::ordered_json to_json(const Frontier& frontier) {
  auto points = nlohmann::ordered_json::array();
  for (const FrontierPoint& point : frontier.points)
    points.push_back({{"recipe", point.recipe},
                      {"clock_ns", point.clock_ns},
                      {"area_um2", point.area_um2},
                      {"critical_path_ns", point.critical_path_ns},
                      {"fmax_mhz", 1000 / point.critical_path_ns},
                      {"dominated", point.dominated}});
  return {{"top", frontier.top}, {"target", frontier.target}, {"points", points}};
}

std::string to_csv(const Frontier& frontier) {
  std::string text = "recipe,clock_ns,area_um2,critical_path_ns,fmax_mhz,dominated\n";
  for (const FrontierPoint& point : frontier.points)
    text +=
        fmt::format("{},{},{},{},{:.3f},{}\n", point.recipe, point.clock_ns, point.area_um2,
                    point.critical_path_ns, 1000 / point.critical_path_ns, point.dominated ? 1 : 0);
  return text;
}

std::string to_text(const Frontier& frontier) {
  std::string text = fmt::format(
      "{} on {}: area against delay\n  {:>12} {:>9} {:>14}  {:<10} {:>10}\n", frontier.top,
      frontier.target, "path ns", "MHz", "area um2", "recipe", "asked ns");
  std::size_t dominated = 0;
  for (const FrontierPoint& point : frontier.points) {
    if (point.dominated) {
      ++dominated;
      continue;
    }
    text +=
        fmt::format("  {:12.3f} {:9.1f} {:14.2f}  {:<10} {:10.3f}\n", point.critical_path_ns,
                    1000 / point.critical_path_ns, point.area_um2, point.recipe, point.clock_ns);
  }
  return text + fmt::format("  {} more points are no better than one of these\n", dominated);
}

}  // namespace weft::synth
