// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/installation.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace weft::cli {
namespace {

std::filesystem::path preset_file(const std::string& name) {
  return base::data_directory() / "presets" / (name + ".yaml");
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(base::data_directory() / "presets")) {
    if (file.path().extension() == ".yaml") names.push_back(file.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

/// The first line of a preset is a comment that says what it is.
std::string description(const std::string& name) {
  const std::string text = base::read_file(preset_file(name));
  return text.substr(2, text.find('\n') - 2);
}

void list_presets() {
  const auto names = preset_names();
  std::size_t width = 0;
  for (const auto& name : names) width = std::max(width, name.size());
  for (const auto& name : names) print(fmt::format("{:<{}}  {}\n", name, width, description(name)));
}

void print_preset(const std::string& name) {
  const auto names = preset_names();
  if (std::ranges::count(names, name) == 0) {
    throw UserError(fmt::format("no preset is called '{}'{}\nRun 'weft presets' for all of them.",
                                base::printable(name), base::did_you_mean(name, names)));
  }
  print(base::read_file(preset_file(name)));
}

}  // namespace

void add_presets(CLI::App& app, ExitStatus& /*status*/) {
  auto* command = app.add_subcommand("presets", "List ready-made configurations, or print one");
  auto name = std::make_shared<std::string>();
  command->add_option("name", *name, "The preset to print");
  command->callback([name] { name->empty() ? list_presets() : print_preset(*name); });
}

}  // namespace weft::cli
