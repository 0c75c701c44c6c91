// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "workbench/configurations.h"

namespace weft::cli {
namespace {

std::string listing(const std::vector<workbench::Preset>& presets) {
  std::size_t width = 0;
  for (const workbench::Preset& preset : presets) width = std::max(width, preset.name.size());
  std::string text;
  for (const workbench::Preset& preset : presets) {
    text += fmt::format("  {:<{}}  {}\n", preset.name, width, preset.description());
  }
  return text;
}

void print_preset(const std::string& name) {
  std::vector<workbench::Preset> presets = workbench::preset_configurations();
  std::ranges::move(workbench::preset_workloads(), std::back_inserter(presets));
  std::vector<std::string> names;
  for (const workbench::Preset& preset : presets) {
    if (preset.name == name) return print(base::read_file(preset.file));
    names.push_back(preset.name);
  }
  throw UserError(fmt::format("no preset is called '{}'{}\nRun 'weft presets' for all of them.",
                              base::printable(name), base::did_you_mean(name, names)));
}

}  // namespace

void add_presets(CLI::App& app, ExitStatus& /*status*/) {
  auto* command =
      app.add_subcommand("presets", "List ready-made configurations and workloads, or print one");
  auto name = std::make_shared<std::string>();
  command->add_option("name", *name, "The preset to print");
  command->callback([name] {
    if (!name->empty()) return print_preset(*name);
    print("Configurations:\n" + listing(workbench::preset_configurations()) +
          "\nWorkloads (for --workload):\n" + listing(workbench::preset_workloads()) +
          "  digits: handwritten digits, classified on the RTL (weft cosim only)\n");
  });
}

}  // namespace weft::cli
