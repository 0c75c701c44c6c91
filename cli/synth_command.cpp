// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/synth_options.h"
#include "synth/composition_report.h"
#include "synth/fpga/device.h"
#include "synth/projection/projection.h"
#include "synth/search/fastest.h"
#include "synth/search/frontier.h"
#include "synth/treemap.h"
#include "workbench/synthesis_job.h"

namespace weft::cli {
namespace {

/// Syntheses of a search that run at a time: weft's machines have at least two cores, and a larger
/// number would need more memory than it may have.
constexpr int search_jobs = 2;

/// Whether and how results are projected; fails before anything runs.
std::optional<std::pair<synth::TechnologyNode, synth::TechnologyNode>> projection_of(
    const SynthOptions& options) {
  if (options.project_to.empty()) {
    if (!options.node.empty()) throw UserError("--node is for --project-to");
    return std::nullopt;
  }
  const std::string& target = options.request.target;
  if (synth::find_fpga(target) != nullptr)
    throw UserError(fmt::format("--project-to: {} is an FPGA", target));
  const std::string from = options.node.empty() ? synth::node_of_target(target) : options.node;
  if (from.empty())
    throw UserError(
        fmt::format("--project-to: the node of {} is not known; give --node, for "
                    "instance --node 130nm@1.2V",
                    target));
  return std::pair{synth::parse_node(from), synth::parse_node(options.project_to)};
}

/// Hands over a result, and says by the exit status whether the clock that was required is met.
void hand_over(const SynthOptions& options, const synth::Result& result, std::string text,
               nlohmann::ordered_json json, ExitStatus& status) {
  if (const auto nodes = projection_of(options)) {
    const auto projection = synth::project(result, nodes->first, nodes->second);
    text += synth::to_text(projection);
    json["projection"] = synth::to_json(projection);
  }
  report(text, json, options.json);
  if (options.require_timing && !result.meets_timing()) status = exit_mismatch;
}

void run_once(const SynthOptions& options, synth::Request request, ExitStatus& status) {
  if (options.require_timing && synth::find_fpga(request.target) != nullptr &&
      !request.place_and_route)
    throw UserError("--require-timing: an FPGA's clock needs --place-and-route");
  Step step(fmt::format("synthesising {} for {}", request.top, request.target));
  request.progress = [&step](std::string_view text) { step.update(text); };
  const synth::Result result = synth::run(request);
  step.done(result.cached ? "found in the cache" : "");
  hand_over(options, result, synth::to_text(result), synth::to_json(result), status);
}

/// Whether the design is composed of blocks rather than synthesised at once.
bool composes(const SynthOptions& options, const workbench::SynthesisJob& job) {
  const bool asked = options.composed || options.compare || !options.treemap.empty();
  const bool search = options.fastest || options.frontier >= 0;
  const char* obstacle = nullptr;
  if (!job.hierarchy) obstacle = "of Verilog files it is not known what is alike in them";
  if (synth::find_fpga(job.request.target) != nullptr) obstacle = "not for FPGAs";
  if (!job.request.recipe.script.empty()) obstacle = "not with a script of your own";
  if (search) obstacle = "not with --fastest or --frontier";
  if (asked && obstacle != nullptr)
    throw UserError(fmt::format("--composed, --compare, --treemap: {}", obstacle));
  return obstacle == nullptr && !options.flat;
}

void run_composed(const SynthOptions& options, const workbench::SynthesisJob& job,
                  ExitStatus& status) {
  Step step(fmt::format("synthesising {} for {}", job.request.top, job.request.target));
  synth::Request request = job.request;
  request.progress = [&step](std::string_view text) { step.update(text); };
  synth::Composition composition = synth::compose(request, *job.hierarchy, options.composition);
  if (options.compare) {
    synth::Request flat = request;
    flat.output_directory /= "flat";
    composition.flat = synth::run(flat);
  }
  step.done(composition.result.cached ? "found in the cache" : "");
  if (!options.treemap.empty())
    base::write_file_atomic(options.treemap, synth::treemap_svg(composition));
  hand_over(options, composition.result, synth::to_text(composition), synth::to_json(composition),
            status);
}

void search_fastest(const SynthOptions& options, synth::Request request, ExitStatus& status) {
  Step step(fmt::format("searching the fastest clock of {} on {}", request.top, request.target));
  request.progress = [&step](std::string_view text) { step.update(text); };
  const synth::SearchOptions search{.tolerance = options.tolerance, .jobs = search_jobs};
  const auto fastest = synth::find_fastest_clock(request, search);
  step.done(fmt::format("{} periods tried", fastest.probes.size()));
  hand_over(options, fastest.result, synth::to_text(fastest), synth::to_json(fastest, search),
            status);
}

void draw_frontier(const SynthOptions& options, synth::Request request) {
  std::vector<std::string> recipes{request.recipe.name};
  if (options.any_recipe && request.recipe.script.empty() && request.recipe.abc_script.empty()) {
    recipes.clear();
    for (const auto& recipe : synth::recipes()) recipes.push_back(recipe.name);
  }
  Step step(fmt::format("area against delay of {} on {}", request.top, request.target));
  request.progress = [&step](std::string_view text) { step.update(text); };
  const auto frontier = synth::find_frontier(request, recipes, options.frontier, search_jobs);
  step.done(fmt::format("{} points", frontier.points.size()));
  if (!options.csv.empty()) base::write_file_atomic(options.csv, synth::to_csv(frontier));
  if (!options.svg.empty()) base::write_file_atomic(options.svg, synth::to_svg(frontier));
  report(synth::to_text(frontier), synth::to_json(frontier), options.json);
}

void run(const SynthOptions& options, ExitStatus& status) {
  if (options.list_recipes) return print(synth::recipes_page());
  for (const std::string& file : {options.json, options.csv, options.svg, options.treemap})
    require_writable(file);
  const bool frontier = options.frontier >= 0;
  if (!frontier && !(options.csv.empty() && options.svg.empty()))
    throw UserError("--csv and --svg are for --frontier");
  (void)projection_of(options);
  workbench::SynthesisJob job = make_job(options);
  synth::Request& request = job.request;
  request.cache_directory = workbench::synth_cache(options.cache);
  if (composes(options, job)) return run_composed(options, job, status);
  if (frontier) return draw_frontier(options, std::move(request));
  if (options.fastest) return search_fastest(options, std::move(request), status);
  run_once(options, std::move(request), status);
}

}  // namespace

void add_synth(CLI::App& app, ExitStatus& status) {
  auto* command = app.add_subcommand("synth", "Area and clock on a cell library or an FPGA");
  auto options = std::make_shared<SynthOptions>();
  add_options(*command, *options);
  command->callback([options, &status] { run(*options, status); });
}

}  // namespace weft::cli
