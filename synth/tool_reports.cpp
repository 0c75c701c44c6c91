// SPDX-License-Identifier: Apache-2.0
#include "synth/tool_reports.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "base/error.h"

namespace weft::synth {
namespace {

std::string unescaped(const std::string& name) {
  return name.starts_with('\\') ? name.substr(1) : name;
}

/// The first number behind a text, looked for from the end.
std::optional<double> last_number_behind(const std::string& text, std::string_view label) {
  const auto at = text.rfind(label);
  if (at == std::string::npos) return std::nullopt;
  const char* begin = text.c_str() + at + label.size();
  char* end = nullptr;
  const double value = std::strtod(begin, &end);
  if (end == begin) return std::nullopt;
  return value;
}

int count_behind(const std::string& text, const std::regex& pattern) {
  std::smatch match;
  return std::regex_search(text, match, pattern) ? std::stoi(match[1]) : 0;
}

/// "  0.0093 0.0480 0.1598 0.1598 v _3995_/Q (DFFPOSX1)": the two numbers before the edge are
/// delay and arrival.
std::optional<Stage> read_stage(const std::string& line) {
  static const std::regex pattern(R"((-?[0-9.]+) +(-?[0-9.]+) ([\^v]) (\S+) \((\S+)\)\s*$)");
  std::smatch match;
  if (!std::regex_search(line, match, pattern)) return std::nullopt;
  Stage stage;
  stage.delay_ns = std::stod(match[1]);
  stage.arrival_ns = std::stod(match[2]);
  stage.edge = match[3].str()[0];
  stage.pin = match[4];
  stage.cell = match[5];
  return stage;
}

std::string instance_of(const std::string& pin) { return pin.substr(0, pin.rfind('/')); }

void read_path(const std::string& log, Timing& timing) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    // Behind the arrival comes the path of the capturing clock edge.
    if (line.find("data arrival time") != std::string::npos) break;
    if (auto stage = read_stage(line)) timing.stages.push_back(std::move(*stage));
  }
  if (timing.stages.empty()) return;
  // A register is printed twice, by its clock pin and by its output.
  auto& stages = timing.stages;
  if (stages.size() > 1 && instance_of(stages[0].pin) == instance_of(stages[1].pin))
    stages.erase(stages.begin());
  timing.start = timing.stages.front().pin;
  timing.end = timing.stages.back().pin;
}

std::vector<Timing::Arc> read_arcs(const std::string& log) {
  std::vector<Timing::Arc> arcs;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string keyword;
    Timing::Arc arc;
    if (!(words >> keyword >> arc.from >> arc.to >> arc.slack_ns) || keyword != "arc") continue;
    for (std::string* end : {&arc.from, &arc.to})
      if (*end == "registers") end->clear();
    arcs.push_back(arc);
  }
  return arcs;
}

/// Yosys lists instances within instances as plain text amidst the JSON; without those lines.
std::string json_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string json;
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find_first_not_of(' ');
    if (first != std::string::npos &&
        std::string_view("{}\"").find(line[first]) != std::string::npos)
      json += line + '\n';
  }
  return json;
}

}  // namespace

std::map<std::string, CellCounts> read_stat_json(const std::string& text) {
  std::map<std::string, CellCounts> result;
  try {
    const auto json = nlohmann::json::parse(json_lines(text));
    for (const auto& [name, module] : json.at("modules").items())
      for (const auto& [cell, count] : module.at("num_cells_by_type").items())
        result[unescaped(name)][unescaped(cell)] = count.get<std::uint64_t>();
    for (const auto& item : json.at("modules").items()) result[unescaped(item.key())];
  } catch (const nlohmann::json::exception& error) {
    throw ToolError(
        fmt::format("yosys: the output of stat -json cannot be read: {}", error.what()));
  }
  return result;
}

std::optional<double> read_chip_area(const std::string& text) {
  const auto at = text.rfind("Chip area for");
  if (at == std::string::npos) return std::nullopt;
  return last_number_behind(text.substr(at), "': ");
}

std::optional<double> read_abc_delay_ns(const std::string& log) {
  const auto delay_ps = last_number_behind(log, "Delay =");
  if (!delay_ps) return std::nullopt;
  return *delay_ps / 1000;
}

std::string base_module_name(const std::string& name) {
  if (!name.starts_with("$paramod")) return name;
  const auto begin = name.find('\\');
  if (begin == std::string::npos) return name;
  return name.substr(begin + 1, name.find('\\', begin + 1) - begin - 1);
}

Timing read_timing(const std::string& log, const std::string& log_path) {
  // Messages are not always at the beginning of a line.
  if (const auto at = log.find("Error: "); at != std::string::npos)
    throw ToolError(
        fmt::format("sta: {} (its log: {})", log.substr(at, log.find('\n', at) - at), log_path));
  if (log.find("timing complete") == std::string::npos)
    throw ToolError(
        fmt::format("sta stopped before the end of its script (its log: {})", log_path));
  Timing timing;
  static const std::regex unclocked("There (?:is|are) ([0-9]+) unclocked");
  static const std::regex loops("There (?:is|are) ([0-9]+) combinational loop");
  timing.unclocked_registers = count_behind(log, unclocked);
  timing.loops = count_behind(log, loops);
  timing.arcs = read_arcs(log);
  timing.spared_slack_ns = last_number_behind(log, "slack through spared ");
  if (log.find("No paths found") != std::string::npos) return timing;
  timing.slack_ns = last_number_behind(log, "worst slack ");
  read_path(log, timing);
  return timing;
}

std::string connected_net(std::string_view netlist, const std::string& cell,
                          const std::string& instance, const std::string& pin) {
  const auto begin = netlist.find(fmt::format("\n  {} {} (\n", cell, instance));
  if (begin == std::string_view::npos) return "";
  const auto block = netlist.substr(begin, netlist.find("\n  );", begin) - begin);
  const std::string connection = fmt::format(".{}(", pin);
  const auto at = block.find(connection);
  if (at == std::string_view::npos) return "";
  const auto net = at + connection.size();
  auto text = block.substr(net, block.find('\n', net) - net);
  text = text.substr(0, text.rfind(')'));
  if (text.starts_with('\\')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return std::string(text);
}

}  // namespace weft::synth
