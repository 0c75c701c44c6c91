// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>

#include "base/error.h"

namespace weft::cli {

// Each function adds one subcommand to the command line, in a source file of its own. The
// subcommand's callback does the work. It throws UserError or ToolError when it cannot, and sets
// `status` when the work is done but its outcome is not exit_pass. A new subcommand is one line
// here, one in app.cpp.

void add_completion(CLI::App& app, ExitStatus& status);
void add_cosim(CLI::App& app, ExitStatus& status);
void add_energy(CLI::App& app, ExitStatus& status);
void add_estimate(CLI::App& app, ExitStatus& status);
void add_explain(CLI::App& app, ExitStatus& status);
void add_gen(CLI::App& app, ExitStatus& status);
void add_man(CLI::App& app, ExitStatus& status);
void add_network(CLI::App& app, ExitStatus& status);
void add_presets(CLI::App& app, ExitStatus& status);
void add_quickstart(CLI::App& app, ExitStatus& status);
void add_schema(CLI::App& app, ExitStatus& status);
void add_synth(CLI::App& app, ExitStatus& status);

}  // namespace weft::cli
