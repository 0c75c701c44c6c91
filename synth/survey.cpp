// SPDX-License-Identifier: Apache-2.0
#include "synth/survey.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <regex>
#include <sstream>

#include "base/error.h"
#include "synth/tool_reports.h"

namespace weft::synth {
namespace {

/// Gates a bit of Yosys' word-level cells; those not named count one.
double gates_of(const std::string& type) {
  static const std::regex sized(R"(\$([a-z_0-9]+)_([0-9]+))");
  std::smatch match;
  if (!std::regex_match(type, match, sized)) return 0;
  static const std::map<std::string, double> gates{
      {"dff", 6},  {"sdff", 8}, {"dffe", 8}, {"sdffe", 10}, {"mux", 2},
      {"pmux", 4}, {"add", 7},  {"sub", 7},  {"xor", 2.5},  {"xnor", 2.5},
      {"eq", 2.5}, {"ne", 2.5}, {"lt", 3},   {"le", 3},     {"gt", 3},
      {"ge", 3},   {"shl", 6},  {"shr", 6},  {"shift", 6},  {"shiftx", 3}};
  const double bits = std::stod(match[2]);
  if (match[1] == "mul") return 8 * bits * bits / 4;
  const auto known = gates.find(match[1]);
  return bits * (known == gates.end() ? 1 : known->second);
}

/// Parameters of the modules that Yosys derived, as far as instances gave them.
std::map<std::string, Sizes> read_derivations(const std::string& log) {
  static const std::regex parameter(R"(Parameter \\(\S+) = (\S+))");
  static const std::regex derived(R"(Generating RTLIL representation for module `(\S+)'\.)");
  std::map<std::string, Sizes> result;
  Sizes current;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, parameter)) {
      const std::string text = match[2];
      std::int64_t value = 0;
      std::from_chars(text.data(), text.data() + text.size(), value);
      current[match[1]] = value;
    } else if (std::regex_match(line, match, derived)) {
      const std::string name = match[1];
      result[name.starts_with('\\') ? name.substr(1) : name] = std::move(current);
      current.clear();
    } else if (line.starts_with("Found cached RTLIL")) {
      current.clear();
    }
  }
  return result;
}

/// Whether a block can be what Yosys derived with these parameters, those left out at the default.
bool agrees(const BlockKey& block, const std::string& name, const Sizes& given) {
  if (base_module_name(name) != block.module) return false;
  for (const auto& [parameter, value] : given) {
    const auto own = block.parameters.find(parameter);
    if (own == block.parameters.end() || own->second != value) return false;
  }
  return true;
}

/// The memories of each module in the output of `dump`.
std::map<std::string, std::map<MemoryShape, std::int64_t>> read_memories(const std::string& dump) {
  std::map<std::string, std::map<MemoryShape, std::int64_t>> result;
  static const std::regex parameter(R"(\s*parameter \\(\S+) (?:signed )?(\S+))");
  std::map<std::string, std::string> values;
  std::string module;
  const auto number = [&](const char* name) {
    const std::string& text = values[name];
    const auto digits = text.find('\'');
    return digits == std::string::npos ? std::stoll("0" + text)
                                       : std::stoll("0" + text.substr(digits + 1), nullptr, 2);
  };
  std::istringstream lines(dump);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (line.starts_with("module ")) {
      module = line.substr(7);
      if (module.starts_with('\\')) module.erase(0, 1);
    } else if (std::regex_match(line, match, parameter)) {
      values[match[1]] = match[2];
    } else if (line == "  end" && !values.empty()) {
      ++result[module][{number("SIZE"), number("WIDTH"), number("RD_PORTS"), number("WR_PORTS"),
                        number("RD_CLK_ENABLE"), number("ABITS")}];
      values.clear();
    }
  }
  return result;
}

}  // namespace

std::string survey_commands(const std::string& statistics_file, const std::string& memory_file) {
  return fmt::format(
      "proc\n"
      "opt_expr\n"
      "opt_clean\n"
      "memory -nomap\n"
      "tee -q -o {} stat -json -width\n"
      "tee -q -o {} dump -m t:$mem_v2\n",
      statistics_file, memory_file);
}

std::map<BlockKey, Contents> read_survey(const std::vector<BlockKey>& blocks,
                                         const std::string& log, const std::string& statistics,
                                         const std::string& memories) {
  const auto modules = read_stat_json(statistics);
  const auto derivations = read_derivations(log);
  const auto found = read_memories(memories);
  std::map<BlockKey, Contents> result;
  for (const BlockKey& block : blocks) {
    std::optional<std::string> best;
    std::size_t most = 0;
    for (const auto& [name, cells] : modules) {
      const auto given = derivations.find(name);
      const Sizes parameters = given == derivations.end() ? Sizes{} : given->second;
      if (!agrees(block, name, parameters) || (best && parameters.size() <= most)) continue;
      best = name;
      most = parameters.size();
    }
    if (!best)
      throw ToolError(fmt::format("yosys did not find {} where its generator did", block.module));
    Contents& contents = result[block];
    for (const auto& [type, count] : modules.at(*best))
      contents.gates += static_cast<double>(count) * gates_of(type);
    if (const auto own = found.find(*best); own != found.end()) contents.memories = own->second;
  }
  return result;
}

}  // namespace weft::synth
