// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/installation.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/output.h"

namespace weft::cli {
namespace {

constexpr auto commands = {
    // The order of --help: the jobs, then what helps with them.
    add_quickstart, add_gen,     add_cosim,   add_synth,  add_energy,     add_estimate,
    add_network,    add_presets, add_explain, add_schema, add_completion, add_man,
};

/// What the completion scripts of shells call; no command for people. The words behind it are no
/// options of its own.
constexpr std::string_view completion_request = "complete";

/// The parser says only that an argument was not expected; a mistyped subcommand deserves better.
void require_known_command(const CLI::App& app, std::string_view word) {
  if (word.starts_with('-')) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return;
    names.push_back(command->get_name());
  }
  throw UserError(
      fmt::format("weft: no command is called '{}'{}\nRun 'weft --help' for all commands.",
                  base::printable(word), base::did_you_mean(word, names)));
}

ExitStatus run_command(CLI::App& app, const ExitStatus& status, int argc, const char* const* argv) {
  try {
    if (argc > 1 && std::string_view(argv[1]) == completion_request) {
      print(to_text(complete(app, {argv + 2, argv + argc})));
      return exit_pass;
    }
    if (argc > 1) require_known_command(app, argv[1]);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version arrive as errors, too.
    std::ostringstream help;
    const bool asked = app.exit(error, help, std::cerr) == 0;
    print(help.str());
    return asked ? exit_pass : exit_usage;
  }
  base::check_interrupt();
  return status;
}

int fail(ExitStatus status, std::string_view text) {
  fmt::print(stderr, "{}\n", text);
  return status;
}

}  // namespace

int run(int argc, const char* const* argv) {
  base::catch_interrupts();
  CLI::App app("weft: generate, co-simulate and measure tensor arrays, switches and links.",
               "weft");
  app.set_version_flag("--version", "weft " + std::string(base::version()));
  app.require_subcommand(1);
  ExitStatus status = exit_pass;
  for (const auto add : commands) add(app, status);
  app.footer(
      "Environment:\n"
      "  WEFT_CACHE                  Folder of built designs and results (default: ~/.cache/weft)\n"
      "  WEFT_JOBS, WEFT_BUILD_DIR   Of the launcher ./weft: compilers at a time, build directory");
  try {
    return run_command(app, status, argc, argv);
  } catch (const base::Interrupted& interrupted) {
    fail(exit_tool, "weft: interrupted");
    return 128 + interrupted.signal;
  } catch (const UserError& error) {
    return fail(exit_usage, error.what());
  } catch (const ToolError& error) {
    return fail(exit_tool, error.what());
  } catch (const std::exception& error) {
    return fail(exit_tool, fmt::format("weft: unexpected error: {}", error.what()));
  }
}

}  // namespace weft::cli
