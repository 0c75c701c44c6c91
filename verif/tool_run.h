// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace weft::verif {

/// A build step: a tool, its arguments and the log beside what it makes.
struct Step {
  std::string what;  ///< for messages: "verilating my_array"
  std::vector<std::string> argv;
  std::filesystem::path log;
};

/// A tool ran to its end and found fault with its input.
class StepRefused : public ToolError {
 public:
  using ToolError::ToolError;
};

/// Runs the step in `directory`. Throws ToolError: what failed, how the tool ended, its first error
/// messages, and the log; StepRefused when it exited with error messages.
void run_step(const Step& step, const std::filesystem::path& directory);

/// Runs steps side by side, as many as there are processors. After a failure the others are waited
/// for and the first failed step's error is thrown.
void run_steps(const std::vector<Step>& steps, const std::filesystem::path& directory);

}  // namespace weft::verif
