// SPDX-License-Identifier: Apache-2.0
#include "cli/network_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::ordered_json;
using verif::Estimate;
using verif::LoadOutcome;
using verif::LoadPoint;

/// Numbers that do not exist are null: JSON has no infinity.
ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json latency(const LoadPoint& point, double value) {
  return point.stable() ? number(value) : ordered_json(nullptr);
}

ordered_json to_json(const LoadPoint& point) {
  return {{"load", point.load},
          {"offered", point.offered.mean},
          {"accepted", point.accepted.mean},
          {"accepted_margin", number(point.accepted.margin)},
          {"mean_latency", latency(point, point.mean_latency.mean)},
          {"mean_latency_margin", latency(point, point.mean_latency.margin)},
          {"p99_latency", latency(point, point.p99_latency.mean)},
          {"min_node_accepted", point.min_node_accepted},
          {"saturated", point.outcome == LoadOutcome::saturated},
          {"outcome", to_string(point.outcome)},
          {"unfinished_packets", point.unfinished},
          {"cycles", point.cycles},
          {"cpu_seconds", point.cpu_seconds}};
}

std::string with_margin(const Estimate& estimate) {
  const std::string margin =
      std::isfinite(estimate.margin) ? fmt::format("+- {:.2f}", estimate.margin) : "";
  return fmt::format("{:9.2f} {:<9}", estimate.mean, margin);
}

/// What to do about a point that is not stable, for people.
std::string explanation(const NetworkReport& report) {
  std::string text;
  for (const LoadPoint& point : report.points) {
    if (point.outcome == LoadOutcome::draining) {
      text += fmt::format(
          "load {:.4g} is not saturated, but {} packets had not come out {} cycles after the "
          "measurement: use a longer --drain\n",
          point.load, point.unfinished, report.phases.drain);
    } else if (point.outcome == LoadOutcome::undecided) {
      text += fmt::format(
          "load {:.4g}: {} cycles are too few to tell whether it is stable: use a longer "
          "--measure\n",
          point.load, report.phases.measurement);
    } else if (point.outcome == LoadOutcome::stuck) {
      text += fmt::format(
          "load {:.4g}: packets are under way and nothing has come out for {} cycles: a deadlock\n",
          point.load, report.phases.patience);
    }
  }
  return text;
}

}  // namespace

std::string to_text(const NetworkReport& report) {
  std::string text = fmt::format(
      "{}: {} ports, {} model, {} traffic{}, {} seed{}\n", report.design, report.nodes,
      report.model, report.traffic,
      report.packet.empty()
          ? ""
          : fmt::format(", packets of {} flit{}", report.packet, report.packet == "1" ? "" : "s"),
      report.seeds.size(), report.seeds.size() == 1 ? "" : "s");
  if (report.zero_load_latency) {
    text += fmt::format("zero-load latency      {:9.2f} cycles\n", *report.zero_load_latency);
  }
  if (report.saturation_throughput) {
    text += fmt::format("saturation throughput  {:9.4f} flits/node/cycle, at full load\n",
                        *report.saturation_throughput);
  }
  if (report.saturation_load) {
    text += fmt::format("saturation load        {:9.4f} flits/node/cycle, the largest stable one\n",
                        *report.saturation_load);
  }
  text += "\n  offered  accepted  mean latency            p99  min node\n";
  for (const LoadPoint& point : report.points) {
    const std::string latencies =
        point.stable()
            ? fmt::format("{} {:9.0f}", with_margin(point.mean_latency), point.p99_latency.mean)
            : fmt::format("    {:<25}", to_string(point.outcome));
    text += fmt::format("{:9.4f} {:9.4f} {}{:10.4f}\n", point.offered.mean, point.accepted.mean,
                        latencies, point.min_node_accepted);
  }
  return text + explanation(report);
}

ordered_json to_json(const NetworkReport& report) {
  ordered_json json = {{"design", report.design},
                       {"digest", report.digest},
                       {"nodes", report.nodes},
                       {"model", report.model},
                       {"traffic", report.traffic},
                       {"packet", report.packet},
                       {"classes", report.classes},
                       {"source", report.source},
                       {"seeds", report.seeds},
                       {"warmup", report.phases.warmup},
                       {"measure", report.phases.measurement},
                       {"drain", report.phases.drain}};
  const auto optional = [](const std::optional<double>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
  };
  json["zero_load_latency"] = optional(report.zero_load_latency);
  json["saturation_throughput"] = optional(report.saturation_throughput);
  json["saturation_load"] = optional(report.saturation_load);
  json["points"] = ordered_json::array();
  for (const LoadPoint& point : report.points) json["points"].push_back(to_json(point));
  return json;
}

std::string to_csv(const NetworkReport& report) {
  std::string text =
      "load,offered,accepted,mean_latency,mean_latency_margin,p99_latency,min_node_accepted,"
      "saturated,outcome\n";
  const auto cell = [](bool exists, double value) {
    return exists && std::isfinite(value) ? fmt::format("{:.6g}", value) : "";
  };
  for (const LoadPoint& point : report.points) {
    text +=
        fmt::format("{:.6g},{:.6g},{:.6g},{},{},{},{:.6g},{},{}\n", point.load, point.offered.mean,
                    point.accepted.mean, cell(point.stable(), point.mean_latency.mean),
                    cell(point.stable(), point.mean_latency.margin),
                    cell(point.stable(), point.p99_latency.mean), point.min_node_accepted,
                    point.outcome == LoadOutcome::saturated ? 1 : 0, to_string(point.outcome));
  }
  return text;
}

}  // namespace weft::cli
