// SPDX-License-Identifier: Apache-2.0
#include "synth/synth.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/tools.h"
#include "synth/cache.h"
#include "synth/flow.h"
#include "synth/fpga/fpga_flow.h"
#include "synth/macro_scripts.h"
#include "synth/scripts.h"
#include "synth/yosys.h"

namespace weft::synth {
namespace {

void check_identifier(const std::string& what, const std::string& name) {
  static const std::regex identifier("[A-Za-z_][A-Za-z0-9_$]*");
  if (!std::regex_match(name, identifier))
    throw UserError(
        fmt::format("{}: '{}' is not a Verilog identifier; legal: letters, digits, _ and $, no "
                    "digit first",
                    what, base::printable(name)));
}

void check_request(const Request& request) {
  if (request.verilog.empty()) throw UserError("synthesis: no Verilog files were given");
  check_identifier("top module", request.top);
  for (const auto& port : request.clock_ports) check_identifier("clock port", port);
  static const std::regex literal("-?[0-9]+|[0-9]*'s?[bdohBDOH][0-9a-fA-F_]+");
  for (const auto& [name, value] : request.parameters) {
    check_identifier("parameter", name);
    if (!std::regex_match(value, literal))
      throw UserError(fmt::format("parameter {}: '{}' is neither an integer nor a sized literal",
                                  name, base::printable(value)));
  }
  if (!(request.clock_ns >= 0.001 && request.clock_ns <= 1e6))
    throw UserError(
        fmt::format("clock period {} ns is outside 0.001..1000000 ns", request.clock_ns));
}

std::map<std::string, std::string> tool_banners(const std::string& yosys) {
  std::map<std::string, std::string> banners;
  banners["yosys"] = find_yosys(yosys).banner;
  for (const auto& [tool, minimum] : {std::pair{"berkeley-abc", ""}, {"sta", "2.0"}})
    banners[tool] = base::tool_version(tool, minimum).banner;
  return banners;
}

/// What the numbers of any target depend on.
nlohmann::json common_key(const Request& request, const std::vector<Source>& sources,
                          const std::map<std::string, std::string>& tools) {
  nlohmann::json key{{"flow", flow_version},
                     {"top", request.top},
                     {"parameters", request.parameters},
                     {"clock_ns", request.clock_ns},
                     {"target", request.target},
                     {"tools", tools}};
  if (request.arcs) key["arcs"] = true;
  if (!request.macros.empty()) key["macro_flow"] = macro_flow_version;
  for (const Macro& macro : request.macros)
    key["macros"].push_back({macro.cell, macro.module, macro.parameters, macro.defaults,
                             macro.interface, macro.liberty, macro.spared});
  for (const auto& source : sources)
    key["sources"].push_back({source.name, base::sha256(source.content)});
  return key;
}

std::string library_key(const Request& request, const std::vector<Source>& sources,
                        const Target& target, const std::map<std::string, std::string>& tools) {
  nlohmann::json key = common_key(request, sources, tools);
  key["clock_ports"] = request.clock_ports;
  key["by_module"] = request.by_module;
  key["library"] = base::sha256(target.liberty_text);
  key["driving_cell"] = target.driving_cell;
  key["load_ff"] = target.load_ff;
  const Recipe recipe = load_recipe(request.recipe);
  key["recipe"] = {recipe.name, script_lines(recipe.gates, {}), script_lines(recipe.mapping, {}),
                   script_lines(recipe.abc, {})};
  return base::sha256(key.dump());
}

std::string fpga_key(const Request& request, const std::vector<Source>& sources,
                     const std::map<std::string, std::string>& tools) {
  nlohmann::json key = common_key(request, sources, tools);
  key["place_and_route"] = request.place_and_route;
  return base::sha256(key.dump());
}

/// What every complete run on a target leaves.
using Needed = std::vector<const char*>;
const Needed library_needs{files::modules, files::clocks,  files::cells,
                           files::area,    files::netlist, files::report};
const Needed fpga_needs{files::cells, files::memories, files::fpga_netlist, files::report};

/// The first file of those that is not there; null if all are.
const char* missing(const FileSet& found, const Needed& needed) {
  const auto file =
      std::ranges::find_if(needed, [&](const char* name) { return !found.contains(name); });
  return file == needed.end() ? nullptr : *file;
}

/// The result of a former run, its files written to the workspace; nothing if it is not complete.
std::optional<Result> restore(const FileSet& stored, const Needed& needed, Workspace& workspace) {
  if (missing(stored, needed) != nullptr) return std::nullopt;
  try {
    Result result = result_from_json(nlohmann::ordered_json::parse(stored.at(files::report)));
    for (const auto& [name, content] : stored) workspace.write(name, content);
    result.cached = true;
    return result;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

/// The result of `flow`, or of a former run of it under the same key.
Result run_cached(const Request& request, const std::string& key, const Needed& needed,
                  const std::map<std::string, std::string>& tools,
                  const std::function<Result(Workspace&)>& flow) {
  const Cache cache(request.cache_directory);
  Workspace workspace(request.output_directory, request.held_directory, request.progress);
  try {
    std::optional<Result> result;
    if (const auto stored = cache.find(key)) result = restore(*stored, needed, workspace);
    const bool fresh = !result;
    if (fresh) {
      result = flow(workspace);
      result->tool_versions = tools;
      result->digest = key;
    }
    result->directory = workspace.directory();
    result->macs = request.macs;
    result->area_per_mac_um2 =
        request.macs == 0 ? 0 : result->area_um2 / static_cast<double>(request.macs);
    workspace.write(files::report, to_json(*result).dump(2) + "\n");
    if (fresh) {
      const FileSet files = workspace.collect();
      if (const char* const name = missing(files, needed))
        throw ToolError(fmt::format("{} was removed while the run used {}", name,
                                    workspace.directory().string()));
      cache.store(key, files);
    }
    workspace.keep();
    return *result;
  } catch (const base::Interrupted&) {
    workspace.discard();
    throw;
  }
}

}  // namespace

Result run(const Request& request) {
  check_request(request);
  const auto sources = read_sources(request.verilog);
  if (const FpgaDevice* device = find_fpga(request.target)) {
    const auto tools = fpga_tools(request, *device);
    return run_cached(
        request, fpga_key(request, sources, tools), fpga_needs, tools,
        [&](Workspace& workspace) { return run_fpga_flow(request, sources, *device, workspace); });
  }
  if (request.place_and_route)
    throw UserError(fmt::format("target {} is a cell library: only FPGAs are placed and routed",
                                request.target));
  const auto tools = tool_banners(request.yosys);
  const Target target = load_target(request.target, request.target_options);
  return run_cached(
      request, library_key(request, sources, target, tools), library_needs, tools,
      [&](Workspace& workspace) { return run_flow(request, sources, target, workspace); });
}

double parse_period(std::string_view text) {
  static const std::regex pattern(R"(\s*([0-9]+\.?[0-9]*|\.[0-9]+)\s*(ps|ns|us)?\s*)");
  std::match_results<std::string_view::const_iterator> match;
  if (std::regex_match(text.begin(), text.end(), match, pattern)) {
    double value = std::stod(match[1].str());
    if (match[2] == "ps") value /= 1000;
    if (match[2] == "us") value *= 1000;
    if (value >= 0.001 && value <= 1e6) return value;
  }
  throw UserError(fmt::format(
      "clock period '{}' is not a time of 1ps to 1000us, for instance 5ns, 2.5 (ns) or 800ps",
      base::printable(text)));
}

}  // namespace weft::synth
