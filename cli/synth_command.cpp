// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/presets.h"
#include "cli/progress.h"
#include "cli/synth_request.h"
#include "cli/whole_number.h"
#include "synth/result.h"
#include "synth/synth.h"

namespace weft::cli {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string top;
  std::string clock = "5ns";
  std::string directory;
  std::string json;
  std::string cache;
  std::uint64_t macs = 0;
  synth::Request request;
};

bool is_verilog(const std::string& input) {
  const auto extension = std::filesystem::path(input).extension();
  return std::ranges::count(std::vector{".v", ".sv", ".vh", ".svh"}, extension) > 0;
}

/// What to synthesise: Verilog files as they are, or what is generated from a configuration.
synth::Request make_request(const Options& options) {
  synth::Request request = options.request;
  request.clock_ns = synth::parse_period(options.clock);
  if (std::ranges::all_of(options.inputs, is_verilog)) {
    if (options.top.empty()) throw UserError("--top must name the top module of Verilog files");
    request.verilog = {options.inputs.begin(), options.inputs.end()};
    request.top = options.top;
    request.macs = options.macs;
    request.output_directory =
        options.directory.empty() ? options.top + "_synth" : options.directory;
    return request;
  }
  if (options.inputs.size() > 1) {
    throw UserError("give one configuration, or Verilog files (.v, .sv, .vh, .svh)");
  }
  if (!options.top.empty() || options.macs != 0) {
    throw UserError("--top and --macs are for Verilog files; a configuration says both itself");
  }
  return configuration_request(load_configuration(options.inputs.front()), options.directory,
                               std::move(request));
}

void run(const Options& options) {
  require_writable(options.json);
  synth::Request request = make_request(options);
  request.cache_directory = synth_cache(options.cache);
  Step step(fmt::format("synthesising {} for {}", request.top, request.target));
  request.progress = [&step](std::string_view text) { step.update(text); };
  const synth::Result result = synth::run(request);
  step.done(result.cached ? "found in the cache" : "");
  report(synth::to_text(result), synth::to_json(result), options.json);
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
  command->add_option("--clock", options->clock, "Clock period")->capture_default_str();
  command->add_option("--out", options->directory,
                      "Folder for scripts, logs and netlist (default: NAME_synth)");
  command->add_option("--json", options->json, "Write the result as JSON; '-': standard output");
  command->add_option("--cache", options->cache,
                      "Folder of former results (default: $WEFT_CACHE, else ~/.cache/weft)");
  command->callback([options] { run(*options); });
}

}  // namespace weft::cli
