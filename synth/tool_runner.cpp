// SPDX-License-Identifier: Apache-2.0
#include "synth/tool_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "base/error.h"

namespace weft::synth {
namespace {

/// Yosys' message about the Verilog, with the user's file names; empty if it got past reading it.
std::string verilog_error(const std::string& log, const std::vector<Source>& sources) {
  if (log.find("Executing SYNTH pass") != std::string::npos) return "";
  const auto at = log.rfind("ERROR: ");
  if (at == std::string::npos) return "";
  const auto line_start = log.rfind('\n', at) + 1;
  std::string message = log.substr(line_start, log.find('\n', at) - line_start);
  for (const auto& source : sources)
    if (const auto name = message.find(source.name); name != std::string::npos)
      message.replace(name, source.name.size(), source.origin.string());
  message.erase(message.find("ERROR: "), std::string_view("ERROR: ").size());
  return fmt::format("{} (yosys)", message);
}

}  // namespace

std::vector<std::string> ToolRunner::write_sources() const {
  std::vector<std::string> names;
  for (const Source& source : sources_) {
    workspace_.write(source.name, source.content);
    if (!source.is_header()) names.push_back(source.name);
  }
  return names;
}

base::ProcessResult ToolRunner::call(const Step& step) {
  base::Command command;
  command.argv = step.argv;
  command.directory = workspace_.directory();
  // Relative: Yosys and ABC do not quote its path, which may hold blanks.
  command.environment = {{"TMPDIR", workspace_.temporary().filename().string()}};
  command.log = workspace_.path(step.log);
  command.timeout = request_.timeout;
  command.memory_limit_bytes = request_.memory_limit_bytes;
  auto process = base::run_process(command);
  result_.cpu_seconds += process.cpu_seconds;
  result_.peak_rss_mib =
      std::max(result_.peak_rss_mib, static_cast<double>(process.peak_rss_bytes) / (1 << 20));
  return process;
}

void ToolRunner::check_yosys(const base::ProcessResult& process, const Step& step) const {
  if (process.ok()) return;
  if (process.end == base::ProcessEnd::exited)
    if (const auto message = verilog_error(workspace_.read(step.log), sources_); !message.empty())
      throw UserError(message);
  // Yosys lives on when its ABC is killed, and reports the status that the shell gave it.
  static const std::regex abc_killed("ABC: execution of command .* failed: return code (9|137)");
  if (std::regex_search(process.output_tail, abc_killed))
    throw ToolError(
        fmt::format("berkeley-abc was killed, probably out of memory: peak {} MiB\n"
                    "the log: {}",
                    process.peak_rss_bytes >> 20, process.log.string()));
  base::check(process);
}

void ToolRunner::collect_warnings(const Step& step) {
  // Those about the library's cells are of no use to the user.
  std::istringstream lines(workspace_.read(step.log));
  constexpr std::size_t most = 20;
  for (std::string line; std::getline(lines, line) && result_.warnings.size() < most;) {
    const auto at = line.find("Warning: ");
    if (at == std::string::npos || line.starts_with("ABC:") ||
        line.find("in pin attribute of cell") != std::string::npos)
      continue;
    std::string warning = "yosys: " + line.substr(line.starts_with(files::sources) ? 0 : at + 9);
    if (std::find(result_.warnings.begin(), result_.warnings.end(), warning) ==
        result_.warnings.end())
      result_.warnings.push_back(std::move(warning));
  }
}

}  // namespace weft::synth
