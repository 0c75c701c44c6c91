// SPDX-License-Identifier: Apache-2.0
#include "synth/fpga/fpga_reports.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "base/error.h"

namespace weft::synth {
namespace {

/// A parameter of a cell: bits, most significant first.
std::uint64_t binary(const nlohmann::json& parameters, const char* name) {
  return std::stoull(parameters.at(name).get<std::string>(), nullptr, 2);
}

/// The cells of "top/cell" lines.
std::vector<std::string> cell_names(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);)
    if (const auto slash = line.find('/'); slash != std::string::npos)
      names.push_back(line.substr(slash + 1));
  return names;
}

bool is_made_of(const std::string& memory, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells)
    if (cell.starts_with(memory + ".")) return true;
  return false;
}

FpgaMemory read_memory(const nlohmann::json& cell) {
  const auto& parameters = cell.at("parameters");
  FpgaMemory memory;
  memory.name = parameters.at("MEMID").get<std::string>();
  if (memory.name.starts_with('\\')) memory.name.erase(0, 1);
  memory.words = binary(parameters, "SIZE");
  memory.width = binary(parameters, "WIDTH");
  const auto clocked = parameters.at("RD_CLK_ENABLE").get<std::string>();
  memory.asynchronous_read = clocked.find('0') != std::string::npos;
  return memory;
}

/// The name of a net without what the tools append: `q_o` of `q_o$SB_IO_OUT`.
std::string net_name(std::string name) {
  if (const auto dollar = name.find('$'); dollar != std::string::npos && dollar > 0)
    name.erase(dollar);
  return name;
}

}  // namespace

std::vector<FpgaMemory> read_memories(const std::string& memories, const std::string& block_rams,
                                      const std::string& lut_rams) {
  const auto blocks = cell_names(block_rams);
  const auto luts = cell_names(lut_rams);
  std::vector<FpgaMemory> result;
  try {
    const auto json = nlohmann::json::parse(memories);
    for (const auto& module : json.at("modules"))
      for (const auto& cell : module.at("cells")) {
        FpgaMemory memory = read_memory(cell);
        memory.place = is_made_of(memory.name, blocks) ? "block RAM"
                       : is_made_of(memory.name, luts) ? "LUT RAM"
                                                       : "registers";
        result.push_back(std::move(memory));
      }
  } catch (const std::exception& error) {
    throw ToolError(fmt::format("yosys: the list of memories cannot be read: {}", error.what()));
  }
  return result;
}

std::string misfit(const std::string& log) {
  static const std::regex full("ERROR: .*no BELs remaining to implement cell type '(\\w+)'");
  static const std::regex other("ERROR: (.*([Uu]nable to place|failed to place|[Tt]oo many).*)");
  std::smatch match;
  if (std::regex_search(log, match, full))
    return fmt::format("it needs more cells of type {} than there are", match[1].str());
  return std::regex_search(log, match, other) ? match[1].str() : "";
}

RoutedTiming read_icetime(const std::string& log, const std::string& log_path) {
  static const std::regex total("Total path delay: ([0-9.]+) ns");
  static const std::regex net(R"(^ +[0-9.]+ ns \.\. +[0-9.]+ ns (\S+))");
  static const std::regex last(R"(^ +\S+ -> (\S+)$)");
  RoutedTiming timing;
  std::smatch match;
  if (!std::regex_search(log, match, total))
    throw ToolError(fmt::format("icetime found no path (its log: {})", log_path));
  timing.delay_ns = std::stod(match[1]);
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, match, net)) {
      if (timing.start.empty()) timing.start = net_name(match[1]);
      timing.end = net_name(match[1]);
    } else if (std::regex_search(line, match, last) && !timing.start.empty()) {
      timing.end = net_name(match[1]);
    }
  }
  return timing;
}

}  // namespace weft::synth
