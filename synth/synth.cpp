// SPDX-License-Identifier: Apache-2.0
#include "synth/synth.h"

#include <fmt/format.h>

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
#include "synth/scripts.h"

namespace weft::synth {
namespace {

void check_identifier(const std::string& what, const std::string& name) {
  static const std::regex identifier("[A-Za-z_][A-Za-z0-9_$]*");
  if (!std::regex_match(name, identifier))
    throw UserError(
        fmt::format("{}: '{}' is not a Verilog identifier", what, base::printable(name)));
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

std::map<std::string, std::string> tool_banners() {
  std::map<std::string, std::string> banners;
  for (const auto& [tool, minimum] :
       {std::pair{"yosys", "0.23"}, {"berkeley-abc", ""}, {"sta", "2.0"}})
    banners[tool] = base::tool_version(tool, minimum).banner;
  return banners;
}

/// Everything that the numbers depend on.
std::string digest(const Request& request, const std::vector<Source>& sources, const Target& target,
                   const std::map<std::string, std::string>& tools) {
  nlohmann::json key{{"flow", flow_version},
                     {"top", request.top},
                     {"parameters", request.parameters},
                     {"clock_ns", request.clock_ns},
                     {"clock_ports", request.clock_ports},
                     {"by_module", request.by_module},
                     {"library", base::sha256(target.liberty_text)},
                     {"target", target.name},
                     {"driving_cell", target.driving_cell},
                     {"load_ff", target.load_ff},
                     {"tools", tools}};
  if (request.arcs) key["arcs"] = true;
  for (const Macro& macro : request.macros)
    key["macros"].push_back({macro.cell, macro.module, macro.parameters, macro.defaults,
                             macro.interface, macro.liberty, macro.spared});
  for (const auto& source : sources)
    key["sources"].push_back({source.name, base::sha256(source.content)});
  return base::sha256(key.dump());
}

/// The result of a former run, its files written to the workspace; nothing if there is none.
std::optional<Result> restore(const FileSet& stored, Workspace& workspace) {
  const auto report = stored.find(files::report);
  if (report == stored.end()) return std::nullopt;
  try {
    Result result = result_from_json(nlohmann::ordered_json::parse(report->second));
    for (const auto& [name, content] : stored) workspace.write(name, content);
    result.cached = true;
    return result;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

/// A cache that cannot be written costs time later, but not the result.
void store(const Cache& cache, const std::string& key, const Workspace& workspace, Result& result) {
  try {
    cache.store(key, workspace.collect());
  } catch (const UserError& error) {
    result.warnings.emplace_back(fmt::format("the result is not cached: {}", error.what()));
  }
}

}  // namespace

Result run(const Request& request) {
  check_request(request);
  const auto sources = read_sources(request.verilog);
  const auto tools = tool_banners();
  const Target target = load_target(request.target, request.target_options);
  const std::string key = digest(request, sources, target, tools);
  const Cache cache(request.cache_directory);
  Workspace workspace(request.output_directory);
  try {
    std::optional<Result> result;
    if (const auto stored = cache.find(key)) result = restore(*stored, workspace);
    const bool fresh = !result;
    if (fresh) {
      result = run_flow(request, sources, target, workspace);
      result->tool_versions = tools;
      result->digest = key;
    }
    result->directory = workspace.directory();
    result->macs = request.macs;
    result->area_per_mac_um2 =
        request.macs == 0 ? 0 : result->area_um2 / static_cast<double>(request.macs);
    workspace.write(files::report, to_json(*result).dump(2) + "\n");
    if (fresh) store(cache, key, workspace, *result);
    workspace.keep();
    return *result;
  } catch (const base::Interrupted&) {
    workspace.discard();
    throw;
  }
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
