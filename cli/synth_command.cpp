// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/presets.h"
#include "cli/progress.h"
#include "cli/synth_request.h"
#include "cli/whole_number.h"
#include "synth/compose.h"
#include "synth/composition_report.h"
#include "synth/result.h"
#include "synth/synth.h"
#include "synth/treemap.h"

namespace weft::cli {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string top;
  std::string clock = "5ns";
  std::string directory;
  std::string json;
  std::string cache;
  std::string treemap;
  std::uint64_t macs = 0;
  bool flat = false;
  bool composed = false;
  bool compare = false;
  synth::Request request;
  synth::CompositionOptions composition;
};

bool is_verilog(const std::string& input) {
  const auto extension = std::filesystem::path(input).extension();
  return std::ranges::count(std::vector{".v", ".sv", ".vh", ".svh"}, extension) > 0;
}

bool verilog_files(const Options& options) {
  return std::ranges::all_of(options.inputs, is_verilog);
}

/// What to synthesise: Verilog files as they are, or what is generated from a configuration.
SynthesisJob make_job(const Options& options) {
  synth::Request request = options.request;
  request.clock_ns = synth::parse_period(options.clock);
  if (verilog_files(options)) {
    if (options.composed || options.compare || !options.treemap.empty()) {
      throw UserError(
          "--composed, --compare and --treemap need a configuration: of Verilog files it is not "
          "known what is alike in them");
    }
    if (options.top.empty()) throw UserError("--top must name the top module of Verilog files");
    request.verilog = {options.inputs.begin(), options.inputs.end()};
    request.top = options.top;
    request.macs = options.macs;
    request.output_directory =
        options.directory.empty() ? options.top + "_synth" : options.directory;
    return {request, {}};
  }
  if (options.inputs.size() > 1) {
    throw UserError("give one configuration, or Verilog files (.v, .sv, .vh, .svh)");
  }
  if (!options.top.empty() || options.macs != 0) {
    throw UserError("--top and --macs are for Verilog files; a configuration says both itself");
  }
  return configuration_job(load_configuration(options.inputs.front()), options.directory,
                           std::move(request));
}

void run_flat(const synth::Request& request, const Options& options, Step& step) {
  const synth::Result result = synth::run(request);
  step.done(result.cached ? "found in the cache" : "");
  report(synth::to_text(result), synth::to_json(result), options.json);
}

void run_composed(const SynthesisJob& job, const Options& options, Step& step) {
  synth::Composition composition = synth::compose(job.request, job.hierarchy, options.composition);
  if (options.compare) {
    synth::Request flat = job.request;
    flat.output_directory /= "flat";
    composition.flat = synth::run(flat);
  }
  step.done(composition.result.cached ? "found in the cache" : "");
  if (!options.treemap.empty()) {
    base::write_file_atomic(options.treemap, synth::treemap_svg(composition));
  }
  report(synth::to_text(composition), synth::to_json(composition), options.json);
}

void run(const Options& options) {
  require_writable(options.json);
  require_writable(options.treemap);
  SynthesisJob job = make_job(options);
  job.request.cache_directory = synth_cache(options.cache);
  Step step(fmt::format("synthesising {} for {}", job.request.top, job.request.target));
  job.request.progress = [&step](std::string_view text) { step.update(text); };
  if (options.flat || verilog_files(options)) {
    run_flat(job.request, options, step);
  } else {
    run_composed(job, options, step);
  }
}

}  // namespace

void add_synth(CLI::App& app, ExitStatus& /*status*/) {
  auto* command = app.add_subcommand("synth", "Area and clock on a cell library");
  auto options = std::make_shared<Options>();
  command->add_option("input", options->inputs, "Configuration file or preset, or Verilog files")
      ->required();
  command->add_option("--top", options->top, "Top module, for Verilog files");
  command
      ->add_option("--macs", options->macs,
                   "Multiply-accumulate units, for Verilog files: gives the area per MAC")
      ->check(whole_number());
  command
      ->add_option("--target", options->request.target,
                   "osu018, osu035, osu050 or a Liberty file (.lib, .lib.gz)")
      ->capture_default_str();
  command->add_option("--dont-use", options->request.target_options.dont_use,
                      "Cells of the library to do without; * stands for any characters");
  auto* flat = command->add_flag("--flat", options->flat,
                                 "Synthesise all at once: the default for Verilog files");
  auto* composed = command->add_flag(
      "--composed", options->composed,
      "Synthesise what is alike once and compose: the default for configurations");
  auto* compare = command->add_flag("--compare", options->compare, "Do both and compare");
  flat->excludes(composed)->excludes(compare);
  const std::map<std::string, synth::Memories> memories{{"automatic", synth::Memories::automatic},
                                                        {"registers", synth::Memories::registers},
                                                        {"model", synth::Memories::model}};
  command
      ->add_option("--memories", options->composition.memories,
                   "registers: flip-flops; model: estimated as macros; automatic: by their size")
      ->transform(CLI::CheckedTransformer(memories))
      ->option_text("automatic|registers|model");
  command
      ->add_option("--block-gates", options->composition.together_gates,
                   "How many gates are synthesised at once, roughly")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--jobs", options->composition.jobs, "Blocks that are synthesised at once")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--treemap", options->treemap, "Draw the areas of the modules (SVG)");
  command->add_option("--clock", options->clock, "Clock period")->capture_default_str();
  command->add_option("--out", options->directory,
                      "Folder for scripts, logs and netlist (default: NAME_synth)");
  command->add_option("--json", options->json, "Write the result as JSON; '-': standard output");
  command->add_option("--cache", options->cache,
                      "Folder of former results (default: $WEFT_CACHE, else ~/.cache/weft)");
  command->callback([options] { run(*options); });
}

}  // namespace weft::cli
