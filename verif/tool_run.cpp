// SPDX-License-Identifier: Apache-2.0
#include "verif/tool_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <sstream>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"

namespace weft::verif {
namespace {

/// The first few lines of a log that report an error or a warning, with what follows each.
std::string first_messages(const std::filesystem::path& log) {
  constexpr std::array<std::string_view, 4> marks = {"%Error", "%Warning",
                                                     "error:", "undefined reference"};
  constexpr int limit = 12;
  std::istringstream lines(base::read_file(log));
  std::string text;
  int shown = 0;
  for (std::string line; shown < limit && std::getline(lines, line);) {
    const bool marked = std::any_of(std::begin(marks), std::end(marks), [&](std::string_view mark) {
      return line.find(mark) != std::string::npos;
    });
    if (marked || shown > 0) {
      text += "\n  " + line;
      ++shown;
    }
  }
  return text;
}

}  // namespace

void run_step(const Step& step, const std::filesystem::path& directory) {
  base::Command command;
  command.argv = step.argv;
  command.directory = directory;
  command.log = step.log;
  const base::ProcessResult result = base::run_process(command);
  if (result.ok()) return;
  if (result.end == base::ProcessEnd::exited) {
    const std::string messages = first_messages(step.log);
    if (!messages.empty()) {
      throw StepRefused(fmt::format("{} failed: {} exited with status {}:{}\nits log: {}",
                                    step.what, result.tool, result.code, messages,
                                    step.log.string()));
    }
  }
  base::check(result);
}

void run_steps(const std::vector<Step>& steps, const std::filesystem::path& directory) {
  const std::size_t workers =
      std::min<std::size_t>(steps.size(), std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::exception_ptr> failures(steps.size());
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  {
    std::vector<std::jthread> threads;
    for (std::size_t worker = 0; worker < workers; ++worker) {
      threads.emplace_back([&] {
        for (std::size_t i = next++; i < steps.size() && !failed; i = next++) {
          try {
            run_step(steps[i], directory);
          } catch (...) {
            failures[i] = std::current_exception();
            failed = true;
          }
        }
      });
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace weft::verif
