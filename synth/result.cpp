// SPDX-License-Identifier: Apache-2.0
#include "synth/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "synth/number_text.h"

namespace weft::synth {

namespace {

using Json = nlohmann::ordered_json;

/// An object with a member for each entry of a map.
template <typename Value, typename Convert>
Json map_to_json(const std::map<std::string, Value>& map, Convert convert) {
  Json json = Json::object();
  for (const auto& [name, value] : map) json[name] = convert(value);
  return json;
}

template <typename Value, typename Convert>
std::map<std::string, Value> map_from_json(const Json& json, Convert convert) {
  std::map<std::string, Value> map;
  for (const auto& [name, value] : json.items()) map[name] = convert(value);
  return map;
}

Json cell_to_json(const CellUse& use) { return {{"count", use.count}, {"area_um2", use.area_um2}}; }

CellUse cell_from_json(const Json& json) {
  return {json.at("count").get<std::uint64_t>(), json.at("area_um2").get<double>()};
}

Json module_to_json(const ModuleUse& use) {
  return {{"instances", use.instances},
          {"cells", use.cells},
          {"registers", use.registers},
          {"area_um2", use.area_um2}};
}

ModuleUse module_from_json(const Json& json) {
  return {json.at("instances").get<std::uint64_t>(), json.at("cells").get<std::uint64_t>(),
          json.at("registers").get<std::uint64_t>(), json.at("area_um2").get<double>()};
}

Json stage_to_json(const Stage& stage) {
  return {{"pin", stage.pin},
          {"cell", stage.cell},
          {"edge", stage.edge == '^' ? "rise" : "fall"},
          {"delay_ns", stage.delay_ns},
          {"arrival_ns", stage.arrival_ns}};
}

Json arc_to_json(const Arc& arc) {
  return {{"from", arc.from}, {"to", arc.to}, {"delay_ns", arc.delay_ns}};
}

Arc arc_from_json(const Json& json) {
  return {json.at("from").get<std::string>(), json.at("to").get<std::string>(),
          json.at("delay_ns").get<double>()};
}

Stage stage_from_json(const Json& json) {
  Stage stage;
  json.at("pin").get_to(stage.pin);
  json.at("cell").get_to(stage.cell);
  stage.edge = json.at("edge") == "rise" ? '^' : 'v';
  json.at("delay_ns").get_to(stage.delay_ns);
  json.at("arrival_ns").get_to(stage.arrival_ns);
  return stage;
}

std::string by_module_table(const Result& result) {
  std::vector<std::pair<std::string, ModuleUse>> modules(result.by_module.begin(),
                                                         result.by_module.end());
  std::stable_sort(modules.begin(), modules.end(), [](const auto& a, const auto& b) {
    return a.second.area_um2 > b.second.area_um2;
  });
  double total = 0;
  for (const auto& [name, use] : modules) total += use.area_um2;
  std::string text = fmt::format("  {:<28} {:>9} {:>9} {:>9} {:>14} {:>6}\n", "by module",
                                 "instances", "cells", "registers", "area um2", "%");
  for (const auto& [name, use] : modules)
    text += fmt::format("  {:<28} {:>9} {:>9} {:>9} {:>14} {:>6.1f}\n", name, use.instances,
                        use.cells, use.registers, area_text(use.area_um2),
                        total > 0 ? 100 * use.area_um2 / total : 0);
  if (modules.size() > 1)
    text += fmt::format("  (modules kept apart: {} um2; flat synthesis optimises across them)\n",
                        area_text(total));
  return text;
}

std::string by_cell_table(const Result& result) {
  std::vector<std::pair<std::string, CellUse>> cells(result.by_cell.begin(), result.by_cell.end());
  std::stable_sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) {
    return a.second.area_um2 > b.second.area_um2;
  });
  constexpr std::size_t shown = 10;
  std::string text =
      fmt::format("  {:<28} {:>9} {:>14} {:>6}\n", "by cell", "count", "area um2", "%");
  CellUse others;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& [name, use] = cells[i];
    if (i >= shown) {
      others.count += use.count;
      others.area_um2 += use.area_um2;
      continue;
    }
    text += fmt::format("  {:<28} {:>9} {:>14} {:>6.1f}\n", name, use.count,
                        area_text(use.area_um2), 100 * use.area_um2 / result.area_um2);
  }
  if (others.count > 0)
    text += fmt::format("  {:<28} {:>9} {:>14} {:>6.1f}\n",
                        fmt::format("{} other types", cells.size() - shown), others.count,
                        area_text(others.area_um2), 100 * others.area_um2 / result.area_um2);
  return text;
}

std::string area_rows(const Result& result) {
  std::string text = fmt::format("  {:<15}{} um2", "area", area_text(result.area_um2));
  if (result.macs > 0)
    text +=
        fmt::format(", {} um2 per MAC ({} MACs)", area_text(result.area_per_mac_um2), result.macs);
  return text + fmt::format("\n  {:<15}{}, of which {} registers\n", "cells",
                            grouped(static_cast<double>(result.cells)),
                            grouped(static_cast<double>(result.registers)));
}

std::string timing_rows(const Result& result) {
  if (!result.timed())
    return fmt::format("  {:<15}not timed: the design was not placed and routed\n", "");
  std::string text =
      fmt::format("  {:<15}{:.3f} ns ({:.1f} MHz), slack {:+.3f} ns\n", "critical path",
                  result.critical_path_ns, result.fmax_mhz, result.slack_ns);
  if (!result.path.start.empty()) {
    text += fmt::format("  {:<15}{} -> {}", "", result.path.start, result.path.end);
    if (result.path.stages.size() > 1)
      text += fmt::format(" through {} cells", result.path.stages.size() - 2);
    text += '\n';
  }
  if (!result.meets_timing())
    text += fmt::format("  {:<15}the clock of {:g} ns is missed by {:.3f} ns on this path\n", "",
                        result.clock_ns, -result.slack_ns);
  return text;
}

}  // namespace

nlohmann::ordered_json to_json(const Result& result) {
  Json stages = Json::array();
  for (const auto& stage : result.path.stages) stages.push_back(stage_to_json(stage));
  Json json = {{"top", result.top},
               {"parameters", result.parameters},
               {"target", result.target},
               {"recipe", result.recipe},
               {"driving_cell", result.driving_cell},
               {"load_ff", result.load_ff},
               {"clock_ns", result.clock_ns},
               {"area_um2", result.area_um2},
               {"cells", result.cells},
               {"registers", result.registers},
               {"critical_path_ns", result.critical_path_ns},
               {"slack_ns", result.slack_ns},
               {"meets_timing", result.meets_timing()},
               {"fmax_mhz", result.fmax_mhz},
               {"abc_delay_ns", result.abc_delay_ns},
               {"critical_path",
                {{"start", result.path.start}, {"end", result.path.end}, {"stages", stages}}},
               {"macs", result.macs},
               {"area_per_mac_um2", result.area_per_mac_um2},
               {"by_cell", map_to_json(result.by_cell, cell_to_json)},
               {"by_module", map_to_json(result.by_module, module_to_json)},
               {"warnings", result.warnings},
               {"tool_versions", result.tool_versions},
               {"cpu_seconds", result.cpu_seconds},
               {"peak_rss_mib", result.peak_rss_mib},
               {"digest", result.digest},
               {"cached", result.cached},
               {"directory", result.directory.string()},
               {"scripts", result.scripts}};
  if (result.fpga) {
    json["fpga"] = to_json(*result.fpga);
    for (const char* name : {"recipe", "driving_cell", "load_ff", "area_um2", "area_per_mac_um2",
                             "abc_delay_ns", "by_module"})
      json.erase(name);
  }
  if (!result.timed())
    for (const char* name :
         {"critical_path_ns", "slack_ns", "fmax_mhz", "meets_timing", "critical_path"})
      json.erase(name);
  if (!result.macros.empty()) json["macros"] = result.macros;
  if (result.spared_path_ns) json["spared_path_ns"] = *result.spared_path_ns;
  if (result.longest_path_ns) json["longest_path_ns"] = *result.longest_path_ns;
  for (const Arc& arc : result.arcs) json["arcs"].push_back(arc_to_json(arc));
  if (result.macs == 0) {
    json.erase("macs");
    json.erase("area_per_mac_um2");
  }
  return json;
}

Result result_from_json(const nlohmann::ordered_json& json) {
  Result result;
  json.at("top").get_to(result.top);
  json.at("parameters").get_to(result.parameters);
  json.at("target").get_to(result.target);
  result.recipe = json.value("recipe", result.recipe);
  result.driving_cell = json.value("driving_cell", result.driving_cell);
  result.load_ff = json.value("load_ff", result.load_ff);
  json.at("clock_ns").get_to(result.clock_ns);
  result.area_um2 = json.value("area_um2", result.area_um2);
  json.at("cells").get_to(result.cells);
  json.at("registers").get_to(result.registers);
  result.critical_path_ns = json.value("critical_path_ns", result.critical_path_ns);
  result.slack_ns = json.value("slack_ns", result.slack_ns);
  result.fmax_mhz = json.value("fmax_mhz", result.fmax_mhz);
  result.abc_delay_ns = json.value("abc_delay_ns", result.abc_delay_ns);
  if (const auto path = json.find("critical_path"); path != json.end()) {
    path->at("start").get_to(result.path.start);
    path->at("end").get_to(result.path.end);
    for (const auto& stage : path->at("stages"))
      result.path.stages.push_back(stage_from_json(stage));
  }
  if (json.contains("fpga")) result.fpga = fpga_use_from_json(json.at("fpga"));
  result.macs = json.value("macs", result.macs);
  result.area_per_mac_um2 = json.value("area_per_mac_um2", result.area_per_mac_um2);
  result.by_cell = map_from_json<CellUse>(json.at("by_cell"), cell_from_json);
  if (json.contains("by_module"))
    result.by_module = map_from_json<ModuleUse>(json.at("by_module"), module_from_json);
  if (json.contains("spared_path_ns")) result.spared_path_ns = json.at("spared_path_ns");
  result.macros = json.value("macros", result.macros);
  if (json.contains("arcs"))
    for (const auto& arc : json.at("arcs")) result.arcs.push_back(arc_from_json(arc));
  json.at("warnings").get_to(result.warnings);
  json.at("tool_versions").get_to(result.tool_versions);
  json.at("cpu_seconds").get_to(result.cpu_seconds);
  json.at("peak_rss_mib").get_to(result.peak_rss_mib);
  json.at("digest").get_to(result.digest);
  json.at("cached").get_to(result.cached);
  result.directory = json.at("directory").get<std::string>();
  json.at("scripts").get_to(result.scripts);
  return result;
}

std::string summary(const Result& result) {
  std::string text =
      fmt::format("{} on {}, clock {:g} ns{}{}\n", result.top, result.target, result.clock_ns,
                  result.recipe.empty() || result.recipe == "balanced"
                      ? ""
                      : fmt::format(", recipe {}", result.recipe),
                  result.cached ? " (from the cache)" : "");
  text += result.fpga ? to_text(*result.fpga) : area_rows(result);
  text += timing_rows(result);
  return text;
}

std::string to_text(const Result& result) {
  std::string text = summary(result);
  if (!result.fpga) text += fmt::format("\n{}\n{}", by_module_table(result), by_cell_table(result));
  for (const auto& warning : result.warnings) text += fmt::format("  warning: {}\n", warning);
  text += fmt::format("\n  {:.1f} CPU s, {:.0f} MiB; files and scripts: {}\n", result.cpu_seconds,
                      result.peak_rss_mib, result.directory.string());
  return text;
}

}  // namespace weft::synth
