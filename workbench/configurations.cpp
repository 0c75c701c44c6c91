// SPDX-License-Identifier: Apache-2.0
#include "workbench/configurations.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "base/installation.h"
#include "base/text.h"

namespace weft::workbench {
namespace {

namespace fs = std::filesystem;

fs::path configurations() { return base::data_directory() / "presets"; }
fs::path workloads() { return configurations() / "workloads"; }

std::vector<Preset> presets_in(const fs::path& folder) {
  std::vector<Preset> presets;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") presets.push_back({entry.path().stem(), entry.path()});
  }
  std::ranges::sort(presets, {}, &Preset::name);
  return presets;
}

/// The file that an argument means: a file, or else the preset of that name.
fs::path find_configuration(const std::string& argument) {
  std::error_code ignored;
  const bool folder = fs::is_directory(argument, ignored);
  if (!folder && fs::exists(argument, ignored)) return argument;
  std::vector<std::string> names;
  for (const Preset& preset : preset_configurations()) {
    if (preset.name == argument) return preset.file;
    names.push_back(preset.name);
  }
  if (folder) {
    throw UserError(fmt::format("'{}' is a folder; give a configuration file or a preset",
                                base::printable(argument)));
  }
  throw UserError(fmt::format(
      "'{}' is neither a file nor a preset{}\nRun 'weft presets' for all of the presets.",
      base::printable(argument), base::did_you_mean(argument, names)));
}

}  // namespace

std::string Preset::description() const {
  const std::string lines = base::read_file(file);
  constexpr std::string_view license = "# SPDX";
  std::string_view text = lines;
  if (text.starts_with(license)) text.remove_prefix(text.find('\n') + 1);
  text.remove_prefix(2);
  return std::string(text.substr(0, text.find('\n')));
}

std::vector<Preset> preset_configurations() { return presets_in(configurations()); }
std::vector<Preset> preset_workloads() { return presets_in(workloads()); }

arch::Config load_configuration(const std::string& argument, const Warn& warn) {
  arch::Config config = arch::load_config(find_configuration(argument));
  for (const auto& warning : arch::warnings(config)) {
    warn(fmt::format("{}: {}", base::printable(argument), warning));
  }
  return config;
}

arch::Workload load_workload(const std::string& argument, const Warn& warn) {
  const arch::WorkloadFile file = arch::read_workload(arch::find_workload(argument, workloads()));
  for (const auto& warning : file.warnings) warn(warning);
  return file.workload;
}

}  // namespace weft::workbench
