// SPDX-License-Identifier: Apache-2.0
#include "synth/survey_run.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "base/sha256.h"
#include "synth/cache.h"
#include "synth/flow.h"
#include "synth/scripts.h"
#include "synth/workspace.h"
#include "synth/yosys.h"

namespace weft::synth {
namespace {

constexpr const char* script_name = "survey.ys";
constexpr const char* log_name = "survey.log";
constexpr const char* statistics = "survey.json";
constexpr const char* memories = "survey.txt";

void call(const Request& request, const Yosys& yosys, const Workspace& workspace, Survey& survey) {
  base::Command command;
  command.argv = {yosys.command, script_name};
  command.directory = workspace.directory();
  command.environment = {{"TMPDIR", workspace.temporary().filename().string()}};
  command.log = workspace.path(log_name);
  command.timeout = request.timeout;
  command.memory_limit_bytes = request.memory_limit_bytes;
  const auto process = base::run_process(command);
  survey.cpu_seconds = process.cpu_seconds;
  survey.peak_rss_mib = static_cast<double>(process.peak_rss_bytes) / (1 << 20);
  base::check(process);
}

}  // namespace

std::vector<std::filesystem::path> files_of(const std::vector<std::filesystem::path>& verilog,
                                            const std::set<std::string>& modules) {
  std::vector<std::filesystem::path> result;
  for (const auto& path : verilog)
    if (modules.contains(path.stem().string())) result.push_back(path);
  return result;
}

Survey survey_modules(const Request& request, const Hierarchy& hierarchy,
                      const std::vector<BlockKey>& keys, const std::set<std::string>& apart) {
  std::set<std::string> modules;
  for (const BlockKey& key : keys) modules.insert(key.module);
  const auto sources = read_sources(files_of(request.verilog, modules));
  std::string interfaces;
  for (const std::string& module : apart) interfaces += hierarchy.modules.at(module).interface;

  std::string script = "# What the modules hold, before any of them is synthesised.\n";
  for (const Source& source : sources)
    script += fmt::format("read_verilog -defer {}\n", source.name);
  if (!interfaces.empty()) script += fmt::format("read_verilog -lib {}\n", files::macro_verilog);
  script += fmt::format("hierarchy -check -top {}\n", hierarchy.top.module) +
            survey_commands(statistics, memories);

  const Workspace workspace(request.output_directory / files::survey);
  for (const Source& source : sources) workspace.write(source.name, source.content);
  if (!interfaces.empty()) workspace.write(files::macro_verilog, interfaces);
  workspace.write(script_name, script);

  const Yosys yosys = find_yosys(request.yosys);
  std::string key = script + interfaces + yosys.banner;
  for (const Source& source : sources) key += base::sha256(source.content);
  key = base::sha256(key);
  const Cache cache(request.cache_directory);
  Survey survey;
  auto found = cache.find(key);
  survey.cached = found.has_value();
  if (!found) {
    call(request, yosys, workspace, survey);
    found.emplace();
    for (const char* const name : {log_name, statistics, memories})
      (*found)[name] = workspace.read(name);
    cache.store(key, *found);
  }
  survey.contents =
      read_survey(keys, found->at(log_name), found->at(statistics), found->at(memories));
  return survey;
}

}  // namespace weft::synth
