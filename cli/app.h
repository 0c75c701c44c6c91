// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weft::cli {

/// Runs the command line and returns the exit status of the process: an ExitStatus, or 128 + signal
/// when SIGINT, SIGTERM or SIGHUP ended it. Errors are told on stderr.
[[nodiscard]] int run(int argc, const char* const* argv);

}  // namespace weft::cli
