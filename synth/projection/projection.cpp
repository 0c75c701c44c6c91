// SPDX-License-Identifier: Apache-2.0
#include "synth/projection/projection.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/error.h"
#include "base/text.h"

namespace weft::synth {
namespace {

constexpr const char* source =
    "Stillmaker and Baas, Integration 58 (2017) 74-81: area table and delay polynomials";

constexpr std::size_t nodes = 11;

/// A row of the model.
struct Node {
  int nm;
  double nominal_volts;
  /// a3 V^3 + a2 V^2 + a1 V + a0 is the delay of the reference circuit in ps.
  std::array<double, 4> delay;
  /// Area of a circuit on the node of the column, in units of its area on this one; by the order of
  /// the rows.
  std::array<double, nodes> area;
};

// Nominal voltages are those of the predictive technology models that the paper's curves come from.
constexpr std::array<Node, nodes> model{{
    {180,
     1.8,
     {0, 97.09, -356.7, 406.5},
     {1, 0.34, 0.15, 0.08, 0.053, 0.025, 0.011, 0.01, 0.0093, 0.0055, 0.0032}},
    {130,
     1.3,
     {-76.65, 334.9, -493.4, 275.8},
     {2.9, 1, 0.44, 0.23, 0.16, 0.072, 0.033, 0.03, 0.027, 0.016, 0.0092}},
    {90,
     1.2,
     {-60.34, 262.5, -384.2, 210.9},
     {6.6, 2.3, 1, 0.53, 0.35, 0.16, 0.075, 0.067, 0.061, 0.036, 0.021}},
    {65,
     1.1,
     {-53.3, 230.4, -333.9, 178.6},
     {12, 4.3, 1.9, 1, 0.66, 0.31, 0.14, 0.13, 0.12, 0.068, 0.039}},
    {45,
     1.0,
     {-501.6, 1567, -1619, 566.1},
     {19, 6.4, 2.8, 1.5, 1, 0.46, 0.21, 0.19, 0.17, 0.1, 0.059}},
    {32,
     0.9,
     {-1047, 2982, -2797, 873.5},
     {40, 14, 6.1, 3.3, 2.2, 1, 0.46, 0.41, 0.38, 0.22, 0.13}},
    {20, 0.9, {0, 34.63, -66.37, 41.15}, {88, 30, 13, 7.1, 4.7, 2.2, 1, 0.89, 0.82, 0.48, 0.28}},
    {16, 0.85, {0, 24.8, -47.52, 28.87}, {99, 34, 15, 7.9, 5.3, 2.4, 1.1, 1, 0.91, 0.54, 0.31}},
    {14,
     0.8,
     {-40.66, 109.2, -100.6, 35.92},
     {110, 37, 16, 8.7, 5.8, 2.7, 1.2, 1.1, 1, 0.59, 0.34}},
    {10, 0.75, {-34.95, 93.65, -85.99, 30.4}, {180, 63, 28, 15, 9.8, 4.5, 2.1, 1.9, 1.7, 1, 0.58}},
    {7, 0.7, {-28.58, 76.6, -70.26, 24.69}, {320, 110, 48, 25, 17, 7.8, 3.6, 3.2, 2.9, 1.7, 1}},
}};

const Node* find_node(int nm) {
  for (const Node& node : model)
    if (node.nm == nm) return &node;
  return nullptr;
}

double delay_ps(const Node& node, double volts) {
  const auto& [a3, a2, a1, a0] = node.delay;
  return ((a3 * volts + a2) * volts + a1) * volts + a0;
}

/// The polynomials are fits: far from the nominal voltage they say nothing.
double checked_delay(const TechnologyNode& at) {
  const Node& node = *find_node(at.nm);
  constexpr double least = 0.7, most = 1.1;
  if (at.volts < least * node.nominal_volts || at.volts > most * node.nominal_volts)
    throw UserError(
        fmt::format("projection: {} nm at {:g} V is outside {:.2f}..{:.2f} V, where the "
                    "delay model is taken to hold",
                    at.nm, at.volts, least * node.nominal_volts, most * node.nominal_volts));
  return delay_ps(node, at.volts);
}

}  // namespace

TechnologyNode parse_node(std::string_view text) {
  static const std::regex pattern(R"(([0-9]{1,4})(?: ?nm)?(?:@([0-9]*\.?[0-9]+) ?V?)?)");
  std::match_results<std::string_view::const_iterator> match;
  if (std::regex_match(text.begin(), text.end(), match, pattern)) {
    if (const Node* node = find_node(std::stoi(match[1].str())))
      return {node->nm, match[2].matched ? std::stod(match[2].str()) : node->nominal_volts};
  }
  std::string known;
  for (const Node& node : model) known += fmt::format("{}{}", known.empty() ? "" : ", ", node.nm);
  throw UserError(fmt::format("node '{}' is none of {} nm, with or without a voltage: 7nm@0.65V",
                              base::printable(text), known));
}

Projection project(const Result& result, const TechnologyNode& from, const TechnologyNode& to) {
  Projection projection{.from = from, .to = to};
  const auto column = static_cast<std::size_t>(find_node(to.nm) - model.data());
  projection.area_factor = find_node(from.nm)->area[column];
  projection.delay_factor = checked_delay(to) / checked_delay(from);
  projection.area_um2 = result.area_um2 * projection.area_factor;
  projection.critical_path_ns = result.critical_path_ns * projection.delay_factor;
  if (projection.critical_path_ns > 0) projection.fmax_mhz = 1000 / projection.critical_path_ns;
  return projection;
}

std::string node_of_target(const std::string& target) { return target == "osu018" ? "180nm" : ""; }

nlohmann::ordered_json to_json(const Projection& projection) {
  return {{"from_nm", projection.from.nm},
          {"from_volts", projection.from.volts},
          {"to_nm", projection.to.nm},
          {"to_volts", projection.to.volts},
          {"area_factor", projection.area_factor},
          {"delay_factor", projection.delay_factor},
          {"area_um2", projection.area_um2},
          {"critical_path_ns", projection.critical_path_ns},
          {"fmax_mhz", projection.fmax_mhz},
          {"source", source}};
}

std::string to_text(const Projection& projection) {
  return fmt::format(
      "\n  projection, not a measurement: from {} nm, {:g} V to {} nm, {:g} V\n"
      "  {:<15}{:.2f} um2 (x {:.4g})\n"
      "  {:<15}{:.4f} ns ({:.1f} MHz) (x {:.4g})\n"
      "  {:<15}{}\n",
      projection.from.nm, projection.from.volts, projection.to.nm, projection.to.volts, "area",
      projection.area_um2, projection.area_factor, "critical path", projection.critical_path_ns,
      projection.fmax_mhz, projection.delay_factor, "factors from", source);
}

}  // namespace weft::synth
