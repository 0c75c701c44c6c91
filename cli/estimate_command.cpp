// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "arch/estimate.h"
#include "cli/commands.h"
#include "cli/design_of.h"
#include "cli/load.h"
#include "cli/output.h"

namespace weft::cli {

void add_estimate(CLI::App& app, ExitStatus& /*status*/) {
  struct Options {
    std::string config;
    std::string workload;
    std::string json;
  };
  auto* command =
      app.add_subcommand("estimate", "Cycles and utilisation of a workload, in closed form");
  auto options = std::make_shared<Options>();
  command->add_option("config", options->config, "Configuration file or preset")->required();
  command->add_option("--workload", options->workload, "Workload file (YAML, CSV) or preset")
      ->required();
  command->add_option("--json", options->json, "Write the result as JSON; '-': standard output");
  command->callback([options] {
    const arch::Config config = load_configuration(options->config);
    const auto& array = design_of<arch::TensorArray>(config, "estimate", "workload estimate");
    const arch::Estimate estimate = arch::estimate(array, load_workload(options->workload));
    report(arch::format_table(estimate), arch::to_json(estimate), options->json);
  });
}

}  // namespace weft::cli
