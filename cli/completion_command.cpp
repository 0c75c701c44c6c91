// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/output.h"

namespace weft::cli {

void add_completion(CLI::App& app, ExitStatus& /*status*/) {
  auto* script = app.add_subcommand("completion", "Print the completion script of a shell");
  auto shell = std::make_shared<std::string>();
  script->add_option("shell", *shell, "The shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->option_text("bash|zsh|fish");
  script->callback([shell] { print(completion_script(*shell)); });
}

}  // namespace weft::cli
