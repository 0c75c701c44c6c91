// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace weft::base {

/// An external tool to run. No shell is involved: arguments reach the tool as they are.
struct Command {
  /// Tool and arguments. argv[0] without a slash is looked up in PATH.
  std::vector<std::string> argv;
  /// Working directory; empty: weft's own.
  std::filesystem::path directory;
  /// Variables that are added to weft's own environment or replace its values.
  std::vector<std::pair<std::string, std::string>> environment;
  /// File that receives the tool's standard output and standard error; empty: only the tail is
  /// kept.
  std::filesystem::path log;
  /// Wall-clock limit; zero: none.
  std::chrono::milliseconds timeout{0};
  /// Limit of the address space (RLIMIT_AS) of the tool and of each process it starts; zero: none.
  std::uint64_t memory_limit_bytes = 0;
};

/// How a process came to its end.
enum class ProcessEnd {
  exited,       ///< by itself; `code` is the exit status
  signalled,    ///< by a signal; `code` is its number
  timed_out,    ///< killed after Command::timeout
  not_started,  ///< could not be started; `code` is the errno, ENOENT for a tool that isn't there
  log_failed,   ///< killed because the log could not be written; `code` is the errno
};

/// What became of a Command.
struct ProcessResult {
  std::string tool;  ///< argv[0] as it was given
  ProcessEnd end = ProcessEnd::exited;
  int code = 0;               ///< see ProcessEnd
  std::string output_tail;    ///< the last 16 KiB of standard output and standard error
  std::filesystem::path log;  ///< Command::log
  double wall_seconds = 0;
  double cpu_seconds = 0;  ///< user and system, of the tool and the children it waited for
  /// Largest resident set of the tool or one of its children. The kernel counts from the fork, so
  /// this is never less than weft's own size.
  std::uint64_t peak_rss_bytes = 0;
  std::chrono::milliseconds timeout{0};  ///< Command::timeout
  std::uint64_t memory_limit_bytes = 0;  ///< Command::memory_limit_bytes

  [[nodiscard]] bool ok() const { return end == ProcessEnd::exited && code == 0; }
};

/// Runs a tool in a process group of its own and waits for it. Whatever ends it, the rest of its
/// group is killed. May be called from several threads at once. When a signal was caught
/// (base/interrupt.h) the tool is killed and Interrupted thrown; every other outcome is in the
/// result.
ProcessResult run_process(const Command& command);

/// Throws a ToolError that says what happened, unless the tool exited with status 0.
void check(const ProcessResult& result);

}  // namespace weft::base
