// SPDX-License-Identifier: Apache-2.0
#include "arch/workload/read.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "arch/workload/csv_reader.h"
#include "arch/workload/yaml_reader.h"
#include "base/error.h"

namespace weft::arch {
namespace {

std::string read_text(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw UserError(fmt::format("{}: is a directory, a workload file is needed", path.string()));
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file)
    throw UserError(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  return text;
}

/// Whether text of an unknown extension is a CSV: the first line that says anything has a comma and
/// does not begin like YAML or JSON.
bool looks_like_csv(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string_view::npos && line[first] != '#') {
      return line[first] != '{' && line.find(',') < line.find(':');
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return false;
}

}  // namespace

WorkloadFile parse_workload(std::string_view text, const std::filesystem::path& file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw UserError(fmt::format("{}: is empty, a workload is needed", file.string()));
  }
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    throw UserError(fmt::format("{}: is not a text file (byte {} is 0)", file.string(), nul));
  }
  const std::string extension = file.extension().string();
  const bool is_yaml = extension == ".yaml" || extension == ".yml" || extension == ".json";
  if (extension == ".csv" || (!is_yaml && looks_like_csv(text)))
    return parse_topology_csv(text, file);
  return {parse_workload_yaml(text, file), {}};
}

WorkloadFile read_workload(const std::filesystem::path& path) {
  return parse_workload(read_text(path), path);
}

std::filesystem::path find_workload(const std::string& name, const std::filesystem::path& presets) {
  std::error_code error;
  if (std::filesystem::exists(name, error)) return name;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(presets, error)) {
    if (entry.path().extension() != ".yaml") continue;
    if (entry.path().stem() == name) return entry.path();
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  throw UserError(
      fmt::format("workload '{}': no such file, and no preset of that name; presets: {}", name,
                  fmt::join(names, ", ")));
}

}  // namespace weft::arch
