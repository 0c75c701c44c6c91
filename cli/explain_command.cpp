// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "arch/config.h"
#include "arch/params/explain.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace weft::cli {

void add_explain(CLI::App& app, ExitStatus& /*status*/) {
  struct Options {
    std::string name;
    bool markdown = false;
  };
  auto* command = app.add_subcommand("explain", "Explain a parameter, or list all of them");
  auto options = std::make_shared<Options>();
  auto* name = command->add_option("name", options->name, "A parameter or a kind of design");
  command->add_flag("--markdown", options->markdown, "Print the reference page of all parameters")
      ->excludes(name);
  command->callback([options] {
    if (options->markdown) {
      print(arch::reference_page(arch::kinds()));
    } else if (options->name.empty()) {
      print(arch::explain_all(arch::kinds()));
    } else {
      print(arch::explain(arch::kinds(), options->name));
    }
  });
}

}  // namespace weft::cli
