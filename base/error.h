// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace weft {

/// Exit statuses of the `weft` command.
enum ExitStatus : int {
  exit_pass = 0,      ///< everything asked for was done and agrees
  exit_mismatch = 1,  ///< the RTL and the model disagree
  exit_usage = 2,     ///< the command line, a configuration or a file of the user's is wrong
  exit_tool = 3,      ///< an external tool is missing, too old, failed, or was killed
};

/// Something the user can correct: a configuration, an argument, a path. Maps to exit_usage.
/// `what()` is complete text for the terminal; it may have several lines, one per problem.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An external tool did not do its work. Maps to exit_tool. `what()` names the tool, how it ended
/// and where its log lies.
class ToolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace weft
