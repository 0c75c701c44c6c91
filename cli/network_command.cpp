// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arch/config.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/network_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/switch_model.h"
#include "cli/whole_number.h"
#include "verif/network/analysis/load_sweep.h"
#include "verif/traffic/trace.h"
#include "verif/traffic/traffic.h"
#include "verif/traffic/traffic_spec.h"
#include "workbench/load_meter.h"

namespace weft::cli {
namespace {

constexpr std::uint64_t most_seeds = 1000;
constexpr std::uint64_t most_cycles = 1'000'000'000'000;
constexpr std::uint64_t least_measurement = 100;
struct Options {
  std::string config;
  std::string model = "cycle";
  std::string traffic = "uniform";
  std::string packet = "1";
  std::string classes = "0";
  std::string source = "per_queue";
  bool load_given = false;
  bool packet_given = false;
  bool classes_given = false;
  double load = 0;
  bool sweep = false;
  std::uint64_t seed = 1;
  std::uint64_t seeds = 3;
  verif::RunPhases phases;
  std::string json, csv, svg;
  std::string cache;
};

std::string one_of(std::string_view option, const std::string& found,
                   const std::vector<std::string>& legal) {
  if (std::ranges::find(legal, found) != legal.end()) return found;
  throw UserError(fmt::format("--{}: '{}' is not one of {}{}", option, base::printable(found),
                              fmt::join(legal, ", "), base::did_you_mean(found, legal)));
}

void require_range(std::string_view option, std::uint64_t found, std::uint64_t least,
                   std::uint64_t most) {
  if (found >= least && found <= most) return;
  throw UserError(fmt::format("--{}: {} is outside {}..{}", option, found, least, most));
}

/// The traffic that the options ask for; its load is that of the only point, if there is one.
verif::TrafficSpec traffic_of(const Options& options, const arch::Switch& design) {
  verif::TrafficSpec spec = verif::parse_traffic(options.traffic);
  const bool lengths = verif::takes_packet_flits(spec);
  if (options.packet_given && !lengths) {
    throw UserError(
        fmt::format("--packet: {} traffic brings its own packet lengths", spec.pattern));
  }
  if (options.classes_given && !lengths) {
    throw UserError(fmt::format("--classes: {} traffic brings its own classes", spec.pattern));
  }
  if ((options.load_given || options.sweep) && !verif::takes_load(spec)) {
    throw UserError(fmt::format("{}: {} traffic has the load that it has",
                                options.sweep ? "--sweep-load" : "--load", spec.pattern));
  }
  if (lengths) {
    spec.packet_flits =
        verif::parse_distribution(options.packet, "--packet", 1, design.max_packet_flits);
    spec.classes =
        verif::parse_distribution(options.classes, "--classes", 0, design.traffic_classes - 1);
  }
  spec.trace_limits = {design.max_packet_flits, design.traffic_classes};
  spec.load = options.load_given ? options.load : 1;
  workbench::require_load(spec.load, "--");
  return spec;
}

/// Phases that measure all of a trace.
verif::RunPhases trace_phases(const verif::TrafficSpec& spec, int ports, verif::RunPhases phases) {
  const auto packets =
      verif::parse_trace(base::read_file(spec.file), spec.file, ports, spec.trace_limits);
  std::uint64_t last = 0;
  for (const verif::Injection& packet : packets) last = std::max(last, packet.cycle);
  phases.warmup = 0;
  phases.measurement = last + 1;
  phases.finite = true;
  return phases;
}

void measure(workbench::LoadMeter& meter, const Options& options, NetworkReport& report) {
  report.zero_load_latency = meter.zero_load_latency();
  if (options.load_given) {
    report.points.push_back(meter.at(options.load));
    report.saturation_throughput = meter.at(1).accepted.mean;
    return;
  }
  const verif::LoadSweep sweep = verif::sweep_load([&](double load) { return meter.at(load); });
  report.points = sweep.points;
  report.saturation_load = sweep.saturation_load;
  const verif::LoadPoint& last = sweep.points.back();
  if (last.load == 1) report.saturation_throughput = last.accepted.mean;
}

bool any_stuck(const NetworkReport& report) {
  return std::ranges::any_of(report.points, [](const verif::LoadPoint& point) {
    return point.outcome == verif::LoadOutcome::stuck;
  });
}

ExitStatus run_network(const Options& options) {
  for (const std::string& file : {options.json, options.csv, options.svg}) require_writable(file);
  one_of("source", options.source, {"per_queue", "fifo"});
  require_range("seeds", options.seeds, 1, most_seeds);
  require_range("warmup", options.phases.warmup, 0, most_cycles);
  require_range("measure", options.phases.measurement, least_measurement, most_cycles);
  require_range("drain", options.phases.drain, 0, most_cycles);
  if (options.csv == "-" && options.json == "-") {
    throw UserError("--csv and --json cannot both go to the standard output");
  }
  const SwitchModelKind kind = switch_model_kind(options.model);

  const arch::Config config = load_configuration(options.config);
  const auto* design = std::get_if<arch::Switch>(&config.design);
  if (design == nullptr) {
    throw UserError(
        fmt::format("{}: kind {}: weft network measures switches", options.config, config.kind));
  }
  const verif::TrafficSpec spec = traffic_of(options, *design);
  verif::check_traffic(*design, *verif::make_traffic(spec, design->ports, options.seed));

  NetworkReport report;
  report.design = design->name;
  report.digest = arch::digest(config);
  report.nodes = design->ports;
  report.model = options.model;
  report.traffic = options.traffic;
  if (verif::takes_packet_flits(spec)) {
    report.packet = options.packet;
    report.classes = options.classes;
  }
  report.source = options.source;
  report.phases = options.phases;
  const std::uint64_t seeds = verif::takes_load(spec) ? options.seeds : 1;
  for (std::uint64_t n = 0; n < seeds; ++n) report.seeds.push_back(options.seed + n);

  if (!verif::takes_load(spec)) {
    report.phases = trace_phases(spec, design->ports, options.phases);
  }
  const auto model = make_switch_model(kind, config, options.source == "fifo", options.cache);
  Step step(fmt::format("measuring {} ({} model, {} traffic)", report.design, report.model,
                        report.traffic));
  workbench::LoadMeter meter(*model, design->ports, spec,
                             {.phases = report.phases,
                              .seed = options.seed,
                              .seeds = options.seeds,
                              .model = options.model,
                              .progress = [&step](const std::string& text) { step.update(text); }});
  if (verif::takes_load(spec)) {
    measure(meter, options, report);
  } else {
    report.points.push_back(meter.at(0));
  }
  step.done(fmt::format("{} point{}, {} cycles", report.points.size(),
                        report.points.size() == 1 ? "" : "s", meter.cycles()));

  if (!options.csv.empty() && options.csv != "-") {
    base::write_file_atomic(options.csv, to_csv(report));
  }
  if (!options.svg.empty()) base::write_file_atomic(options.svg, to_svg(report));
  cli::report(options.csv == "-" ? to_csv(report) : to_text(report), to_json(report), options.json);
  return any_stuck(report) ? exit_mismatch : exit_pass;
}

}  // namespace

void add_network(CLI::App& app, ExitStatus& status) {
  auto* command =
      app.add_subcommand("network", "Measure latency and throughput of a switch under traffic");
  command->footer("Traffic, with its parameters and their defaults:\n" + verif::traffic_help());
  auto options = std::make_shared<Options>();
  command->add_option("config", options->config, "Configuration file or preset")->required();
  command->add_option("--model", options->model, "rtl, cycle or packet")->capture_default_str();
  command->add_option("--traffic", options->traffic, "Who sends to whom; see below")
      ->capture_default_str();
  auto* load =
      command->add_option("--load", options->load, "Offered load in flits/node/cycle, up to 1");
  auto* sweep = command->add_flag("--sweep-load", options->sweep,
                                  "Measure the latency-throughput curve (default without --load)");
  load->excludes(sweep);
  auto* packet = command
                     ->add_option("--packet", options->packet,
                                  "Flits of a packet: 4, or with shares 1:0.5,5:0.5")
                     ->capture_default_str();
  auto* classes = command
                      ->add_option("--classes", options->classes,
                                   "Traffic class of packets: 0, or with shares 0:0.2,1:0.8")
                      ->capture_default_str();
  command
      ->add_option("--source", options->source,
                   "per_queue: sources have a queue for each of the switch's; fifo: one for all")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "First seed")
      ->check(whole_number())
      ->capture_default_str();
  const auto count = [&](const char* name, std::uint64_t& value, const char* meaning) {
    command->add_option(name, value, meaning)->check(whole_number())->capture_default_str();
  };
  count("--seeds", options->seeds, "Runs of a load, each with its own seed");
  count("--warmup", options->phases.warmup, "Cycles before the measurement");
  count("--measure", options->phases.measurement, "Cycles of the measurement");
  count("--drain", options->phases.drain,
        "Cycles after it, at most, until measured packets are out");
  command->add_option("--json", options->json, "Write the result as JSON; '-': standard output");
  command->add_option("--csv", options->csv, "Write the points as CSV; '-': standard output");
  command->add_option("--svg", options->svg, "Write the curve as SVG");
  command->add_option("--cache", options->cache,
                      "Folder of built designs (default: $WEFT_CACHE, else ~/.cache/weft)");
  command->callback([options, load, packet, classes, &status] {
    options->load_given = load->count() > 0;
    options->packet_given = packet->count() > 0;
    options->classes_given = classes->count() > 0;
    status = run_network(*options);
  });
}

}  // namespace weft::cli
