// SPDX-License-Identifier: Apache-2.0
#include "cli/synth_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "base/error.h"
#include "cli/load.h"
#include "cli/whole_number.h"
#include "synth/fpga/device.h"
#include "synth/recipes/recipe.h"
#include "workbench/synthesis_job.h"

namespace weft::cli {
namespace {

bool is_verilog(const std::string& input) {
  const auto extension = std::filesystem::path(input).extension();
  return std::ranges::count(std::vector{".v", ".sv", ".vh", ".svh"}, extension) > 0;
}

std::string targets_help() {
  std::string text = fmt::format("{}, Liberty files (.lib, .lib.gz; several: separated by commas)",
                                 fmt::join(synth::known_targets(), ", "));
  for (const auto& device : synth::fpga_devices())
    text += fmt::format(", {} ({})", device.name, device.summary);
  return text;
}

std::string recipes_help() {
  std::string text = "How to synthesise for a cell library:";
  for (const auto& recipe : synth::recipes())
    text += fmt::format(" {}: {}", recipe.name, recipe.summary);
  return text;
}

void add_design(CLI::App& command, SynthOptions& options) {
  command.add_option("input", options.inputs, "Configuration file or preset, or Verilog files");
  command.add_option("--top", options.top, "Top module, for Verilog files");
  command
      .add_option("--parameter", options.parameters,
                  "NAME=VALUE: another value of a parameter of the top module, for Verilog files")
      ->allow_extra_args(false);
  command
      .add_option("--macs", options.macs,
                  "Multiply-accumulate units, for Verilog files: gives the area per MAC")
      ->check(whole_number());
}

void add_flow(CLI::App& command, SynthOptions& options) {
  synth::Request& request = options.request;
  command.add_option("--target", request.target, targets_help())->capture_default_str();
  command.add_option("--dont-use", request.target_options.dont_use,
                     "Cells of the library to do without; * stands for any characters");
  command.add_option("--clock", options.clock, "Clock period")->capture_default_str();
  command
      .add_option_function<std::string>(
          "--recipe",
          [&options](const std::string& name) {
            options.request.recipe.name = name;
            options.any_recipe = false;
          },
          recipes_help())
      ->default_str(request.recipe.name);
  command.add_flag("--list-recipes", options.list_recipes, "Print the passes of all recipes");
  command.add_option("--script", request.recipe.script,
                     "Yosys script of your own, from the elaborated design to cells "
                     "(docs/synthesis.md has its placeholders)");
  command.add_option("--abc-script", request.recipe.abc_script, "ABC script of your own");
  command.add_flag("--place-and-route", request.place_and_route,
                   "On ice40 and ice40up: place and route, for the clock");
  command.add_option("--yosys", request.yosys, "Another Yosys than the one in PATH");
  command.add_option("--timeout", options.timeout, "Longest time of each tool, for instance 600s");
}

void add_composition(CLI::App& command, SynthOptions& options) {
  auto* flat = command.add_flag("--flat", options.flat,
                                "Synthesise all at once: the default for Verilog files");
  auto* composed =
      command.add_flag("--composed", options.composed,
                       "Synthesise what is alike once and compose: the default for configurations");
  auto* compare = command.add_flag("--compare", options.compare, "Do both and compare");
  flat->excludes(composed)->excludes(compare);
  const std::map<std::string, synth::Memories> memories{{"automatic", synth::Memories::automatic},
                                                        {"registers", synth::Memories::registers},
                                                        {"model", synth::Memories::model}};
  command
      .add_option("--memories", options.composition.memories,
                  "registers: flip-flops; model: estimated as macros; automatic: by their size")
      ->transform(CLI::CheckedTransformer(memories))
      ->option_text("automatic|registers|model")
      ->excludes(flat);
  command
      .add_option("--block-gates", options.composition.together_gates,
                  "How many gates are synthesised at once, roughly")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->excludes(flat);
  command.add_option("--jobs", options.composition.jobs, "Blocks that are synthesised at once")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command.add_option("--treemap", options.treemap, "Draw the areas of the modules as SVG")
      ->excludes(flat);
}

void add_searches(CLI::App& command, SynthOptions& options) {
  auto* fastest = command.add_flag("--fastest", options.fastest,
                                   "Search for the fastest clock that meets timing");
  command.add_option("--tolerance", options.tolerance, "Of the search, relative to the clock")
      ->capture_default_str()
      ->needs(fastest);
  command
      .add_option("--frontier", options.frontier,
                  "Area against delay: all recipes (or --recipe) at N clock periods (default: 6)")
      ->expected(0, 1)
      ->default_str("6")
      ->excludes(fastest);
  command.add_flag("--require-timing", options.require_timing,
                   "Exit with status 1 if the clock is missed");
  command.add_option(
      "--project-to", options.project_to,
      "Also what other technology might give, from published factors: 7nm, 16nm@0.8V");
  command.add_option("--node", options.node,
                     "The node of the library, for --project-to: 130nm@1.2V (osu018: 180nm)");
}

void add_outputs(CLI::App& command, SynthOptions& options) {
  command.add_option("--out", options.directory,
                     "Folder for scripts, logs and netlist (default: NAME_synth)");
  command.add_option("--json", options.json, "Write the result as JSON; '-': standard output");
  command.add_option("--csv", options.csv, "Write the points of --frontier as CSV");
  command.add_option("--svg", options.svg, "Draw --frontier as SVG");
  command.add_option("--cache", options.cache,
                     "Folder of former results (default: $WEFT_CACHE, else ~/.cache/weft)");
}

void add_parameters(const std::vector<std::string>& assignments, synth::Request& request) {
  for (const std::string& assignment : assignments) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos)
      throw UserError(fmt::format("--parameter {}: it must be NAME=VALUE", assignment));
    request.parameters[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
}

std::chrono::milliseconds parse_timeout(const std::string& text) {
  double seconds = 0;
  if (!CLI::detail::lexical_cast(text.ends_with('s') ? text.substr(0, text.size() - 1) : text,
                                 seconds) ||
      !(seconds > 0 && seconds <= 1e7))
    throw UserError(fmt::format("--timeout {}: it must be a time such as 600s", text));
  return std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
}

}  // namespace

void add_options(CLI::App& command, SynthOptions& options) {
  add_design(command, options);
  add_flow(command, options);
  add_composition(command, options);
  add_searches(command, options);
  add_outputs(command, options);
}

workbench::SynthesisJob make_job(const SynthOptions& options) {
  synth::Request request = options.request;
  request.clock_ns = synth::parse_period(options.clock);
  if (!options.timeout.empty()) request.timeout = parse_timeout(options.timeout);
  if (options.inputs.empty()) throw UserError("give a configuration, or Verilog files and --top");
  if (std::ranges::all_of(options.inputs, is_verilog)) {
    if (options.top.empty()) throw UserError("--top must name the top module of Verilog files");
    request.verilog = {options.inputs.begin(), options.inputs.end()};
    request.top = options.top;
    request.macs = options.macs;
    add_parameters(options.parameters, request);
    request.output_directory =
        options.directory.empty() ? options.top + "_synth" : options.directory;
    return {std::move(request), std::nullopt};
  }
  if (options.inputs.size() > 1) {
    throw UserError("give one configuration, or Verilog files (.v, .sv, .vh, .svh)");
  }
  if (!options.top.empty() || options.macs != 0 || !options.parameters.empty()) {
    throw UserError(
        "--top, --parameter and --macs are for Verilog files; a configuration says all itself");
  }
  return workbench::configuration_job(load_configuration(options.inputs.front()), options.directory,
                                      std::move(request));
}

}  // namespace weft::cli
