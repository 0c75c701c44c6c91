// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>

#include "arch/config.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/whole_number.h"
#include "synth/power/energy.h"
#include "synth/power/power_library.h"
#include "synth/synth.h"
#include "synth/target.h"
#include "workbench/load_meter.h"
#include "workbench/recordings.h"
#include "workbench/synthesis_job.h"

namespace weft::cli {
namespace {

struct Options {
  std::string config;
  std::string workload = "digits";
  std::string traffic = "uniform";
  std::string packet = "1";
  double load = 0.5;
  double activity = 0;
  bool assumed = false;
  bool workload_given = false;
  bool pattern_given = false;  ///< --traffic or --packet
  bool load_given = false;
  std::uint64_t cycles = 0;
  std::uint64_t seed = 1;
  std::string clock = "5ns";
  std::string directory;
  std::string json;
  std::string cache;
  synth::Request request;
};

verif::Recording record(const arch::TensorArray& array, const rtl::Emission& emission,
                        const Options& options, const verif::RecordingOptions& recording) {
  if (options.pattern_given || options.load_given)
    throw UserError("--traffic, --load and --packet are for switches; an array has a --workload");
  if (options.workload == "digits") return workbench::record_digits(array, emission, recording);
  return workbench::record_workload(array, emission, load_workload(options.workload), recording);
}

verif::Recording record(const arch::Switch& design, const rtl::Emission& emission,
                        const Options& options, const verif::RecordingOptions& recording) {
  if (options.workload_given)
    throw UserError("--workload is for tensor arrays; a switch has --traffic and --load");
  const verif::TrafficSpec traffic =
      workbench::offered_traffic(design, options.traffic, options.packet, options.load, "--");
  return workbench::record_traffic(design, emission, traffic, recording);
}

verif::Recording record(const arch::Link& link, const rtl::Emission& emission,
                        const Options& options, const verif::RecordingOptions& recording) {
  if (options.workload_given)
    throw UserError("--workload is for tensor arrays; a link has a --load");
  if (options.pattern_given)
    throw UserError("--traffic and --packet are for switches; a link has a --load");
  workbench::require_load(options.load, "--");
  return workbench::record_link(link, emission, options.load, recording);
}

synth::Result synthesise(synth::Request request, const Options& options) {
  request.cache_directory = workbench::synth_cache(options.cache);
  Step step(fmt::format("synthesising {} for {}", request.top, request.target));
  request.progress = [&step](std::string_view text) { step.update(text); };
  synth::Result result = synth::run(request);
  step.done(result.cached ? "found in the cache" : "");
  return result;
}

void run(const Options& options) {
  require_writable(options.json);
  if (options.assumed && !(options.activity >= 0 && options.activity <= 2))
    throw UserError(
        fmt::format("--activity: {} is outside 0..2 toggles a cycle", options.activity));
  const arch::Config config = load_configuration(options.config);
  const synth::Target target =
      synth::load_target(options.request.target, options.request.target_options);
  // Before anything takes time: it may turn out that the library tells no energies.
  const synth::PowerLibrary library =
      synth::read_power_library(target.liberty_text, target.liberty_path);
  const rtl::Emission emission = rtl::emit(config);

  synth::ActivityChoice choice;
  choice.assumed = options.activity;
  verif::Recording recording;
  synth::EnergyWorkload workload;
  if (!options.assumed) {
    Step step(fmt::format("recording the workload on the RTL of {}", emission.top));
    verif::RecordingOptions recorder;
    recorder.seed = options.seed;
    recorder.most_cycles = options.cycles;
    recorder.build.cache = options.cache;
    recorder.progress = [&step](const std::string& text) { step.update(text); };
    recording =
        std::visit([&](const auto& design) { return record(design, emission, options, recorder); },
                   config.design);
    step.done(fmt::format("{}, {} cycles", recording.workload, recording.trace.cycles));
    workload = workbench::energy_workload(recording);
    choice.workload = &workload;
  }

  synth::Request request = options.request;
  request.clock_ns = synth::parse_period(options.clock);
  // Holds the folder until the netlists in it have been read.
  const workbench::SynthesisJob job =
      workbench::configuration_job(config, options.directory, std::move(request), tell);
  const synth::Result synthesis = synthesise(job.request, options);
  Step step("energy");
  const synth::EnergyReport result = synth::find_energy(
      synthesis, target, library, choice, [&step](std::string_view text) { step.update(text); });
  step.done();
  report(synth::to_text(result), synth::to_json(result), options.json);
}

}  // namespace

void add_energy(CLI::App& app, ExitStatus& /*status*/) {
  auto* command =
      app.add_subcommand("energy", "Energy per operation, from what the RTL does under a workload");
  auto options = std::make_shared<Options>();
  command->add_option("config", options->config, "Configuration file or preset")->required();
  auto* workload =
      command
          ->add_option("--workload", options->workload,
                       "Of an array: digits, or the layers of a workload (file or preset) with "
                       "random operands")
          ->capture_default_str();
  auto* traffic =
      command->add_option("--traffic", options->traffic, "Of a switch: who sends to whom")
          ->capture_default_str();
  auto* load =
      command->add_option("--load", options->load, "Its load, or a link's, in flits/node/cycle")
          ->capture_default_str();
  auto* packet = command->add_option("--packet", options->packet, "Flits of its packets")
                     ->capture_default_str();
  auto* cycles =
      command
          ->add_option("--cycles", options->cycles,
                       "Cycles of the workload to look at (default: all of digits, 20000 "
                       "of traffic, 200000 of other workloads)")
          ->check(whole_number());
  command->add_option("--seed", options->seed, "Seed of traffic and random operands")
      ->check(whole_number())
      ->capture_default_str();
  auto* activity = command->add_option(
      "--activity", options->activity,
      "Assume so many toggles of every net in a cycle instead of measuring a workload");
  for (auto* other : {workload, traffic, load, packet, cycles}) activity->excludes(other);
  command
      ->add_option("--target", options->request.target,
                   "osu018, osu035, osu050 or a Liberty file (.lib, .lib.gz)")
      ->capture_default_str();
  command->add_option("--dont-use", options->request.target_options.dont_use,
                      "Cells of the library to do without; * stands for any characters");
  command->add_option("--clock", options->clock, "Clock period")->capture_default_str();
  command->add_option("--out", options->directory, "Folder of the synthesis (default: NAME_synth)");
  command->add_option("--json", options->json, "Write the result as JSON; '-': standard output");
  command->add_option("--cache", options->cache,
                      "Folder of former results (default: $WEFT_CACHE, else ~/.cache/weft)");
  command->callback([=] {
    options->assumed = activity->count() > 0;
    options->workload_given = workload->count() > 0;
    options->pattern_given = traffic->count() + packet->count() > 0;
    options->load_given = load->count() > 0;
    run(*options);
  });
}

}  // namespace weft::cli
