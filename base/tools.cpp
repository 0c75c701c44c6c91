// SPDX-License-Identifier: Apache-2.0
#include "base/tools.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <map>
#include <mutex>
#include <regex>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/process.h"

namespace weft::base {
namespace {

/// What differs from: package of the same name, version told by --version.
struct KnownTool {
  std::string package;
  std::vector<std::string> version_arguments{"--version"};
};

const KnownTool& known(const std::string& name) {
  static const std::map<std::string, KnownTool> tools{
      {"berkeley-abc", {"berkeley-abc", {"-q", "version"}}},
      {"clang++", {"clang"}},
      {"dot", {"graphviz"}},
      {"gtkwave", {"gtkwave"}},
      {"icepack", {"fpga-icestorm"}},
      {"icetime", {"fpga-icestorm"}},
      {"iverilog", {"iverilog", {"-V"}}},
      {"nextpnr-ice40", {"nextpnr-ice40"}},
      {"ninja", {"ninja-build"}},
      {"sta", {"opensta", {"-version"}}},
      {"verilator_bin", {"verilator"}},
      {"vvp", {"iverilog", {"-V"}}},
      {"yosys", {"yosys", {"-V"}}},
      {"yosys-smtbmc", {"yosys"}},
  };
  static const KnownTool other;
  const auto found = tools.find(std::filesystem::path(name).filename());
  return found == tools.end() ? other : found->second;
}

bool is_executable_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

ToolVersion ask_version(const std::string& name, const std::filesystem::path& path) {
  Command command;
  command.argv = {path.string()};
  const auto& arguments = known(name).version_arguments;
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.timeout = std::chrono::seconds(20);
  const ProcessResult result = run_process(command);

  static const std::regex number(R"((^|[^0-9.])([0-9]+(\.[0-9]+)+))");
  std::istringstream lines(result.output_tail);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, number)) return {match[2], line, path};
  }
  check(result);
  throw ToolError(
      fmt::format("{} does not tell its version; it said: {}", path.string(), result.output_tail));
}

}  // namespace

std::optional<std::filesystem::path> find_executable(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (is_executable_file(name)) return std::filesystem::absolute(name);
    return std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto candidate = std::filesystem::absolute(folder.empty() ? "." : folder) / name;
    if (is_executable_file(candidate)) return candidate;
  }
  return std::nullopt;
}

std::string not_installed(const std::string& name) {
  if (name.find('/') != std::string::npos) return fmt::format("{} is not an executable file", name);
  const std::string& package = known(name).package;
  return fmt::format("{} is not installed (Debian package {})", name,
                     package.empty() ? name : package);
}

std::filesystem::path find_tool(const std::string& name) {
  if (auto path = find_executable(name)) return *path;
  throw ToolError(not_installed(name));
}

ToolVersion tool_version(const std::string& name, std::string_view minimum) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, ToolVersion> told;
  const auto path = find_tool(name);
  ToolVersion version;
  {
    const std::lock_guard lock(mutex);
    auto found = told.find(path);
    if (found == told.end()) found = told.emplace(path, ask_version(name, path)).first;
    version = found->second;
  }
  if (version_less(version.number, minimum))
    throw ToolError(fmt::format("{} {} is too old: {} or newer is needed ({})", name,
                                version.number, minimum, path.string()));
  return version;
}

bool version_less(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const auto next = [](std::string_view& text) {
      int value = 0;
      const auto dot = text.find('.');
      const auto part = text.substr(0, dot);
      std::from_chars(part.data(), part.data() + part.size(), value);
      text = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
      return value;
    };
    const int left = next(a);
    const int right = next(b);
    if (left != right) return left < right;
  }
  return false;
}

}  // namespace weft::base
