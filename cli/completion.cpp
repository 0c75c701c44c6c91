// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>

#include "arch/config.h"
#include "base/files.h"
#include "base/installation.h"
#include "synth/fpga/device.h"
#include "synth/recipes/recipe.h"
#include "synth/target.h"
#include "workbench/configurations.h"

namespace weft::cli {
namespace {

using Candidates = std::vector<Completion::Candidate>;

Candidates of(const std::vector<workbench::Preset>& presets) {
  Candidates result;
  for (const workbench::Preset& preset : presets)
    result.push_back({preset.name, preset.description()});
  return result;
}

Candidates configurations() { return of(workbench::preset_configurations()); }

Candidates workloads() {
  Candidates result = of(workbench::preset_workloads());
  result.push_back({"digits", "handwritten digits, classified on the RTL"});
  return result;
}

Candidates all_presets() {
  Candidates result = configurations();
  std::ranges::move(of(workbench::preset_workloads()), std::back_inserter(result));
  return result;
}

Candidates parameters() {
  Candidates result;
  for (const arch::Kind* kind : arch::kinds()) {
    result.push_back({kind->name, kind->doc});
    for (const arch::Parameter& parameter : kind->parameters) {
      const auto same = [&](const auto& known) { return known.word == parameter.name; };
      if (std::ranges::none_of(result, same)) result.push_back({parameter.name, parameter.doc});
    }
  }
  return result;
}

Candidates kinds() {
  Candidates result;
  for (const arch::Kind* kind : arch::kinds()) result.push_back({kind->name, kind->doc});
  return result;
}

Candidates recipes() {
  Candidates result;
  for (const auto& recipe : synth::recipes()) result.push_back({recipe.name, recipe.summary});
  return result;
}

Candidates targets() {
  Candidates result;
  for (const std::string& library : synth::known_targets()) result.push_back({library, ""});
  for (const auto& device : synth::fpga_devices()) {
    result.push_back({device.name, device.summary});
  }
  return result;
}

/// What can stand for the value of an option, beyond the words that its help lists.
struct Source {
  Candidates (*candidates)() = nullptr;
  bool files = true;
};

/// By command and option; an empty command: in all of them.
Source source_of(const std::string& command, const std::string& option) {
  static const std::map<std::pair<std::string, std::string>, Source> sources{
      {{"", "config"}, {configurations, true}},    {{"", "input"}, {configurations, true}},
      {{"", "--workload"}, {workloads, true}},     {{"", "--target"}, {targets, true}},
      {{"", "--recipe"}, {recipes, false}},        {{"explain", "name"}, {parameters, false}},
      {{"presets", "name"}, {all_presets, false}}, {{"schema", "kind"}, {kinds, false}},
  };
  for (const auto& key : {std::pair{command, option}, std::pair{std::string(), option}}) {
    if (const auto found = sources.find(key); found != sources.end()) return found->second;
  }
  return {};
}

std::string name_of(const CLI::Option& option) {
  if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) return "-" + option.get_snames().front();
  return option.get_name();
}

bool hidden(const CLI::App& command) { return command.get_group().empty(); }

bool takes_value(const CLI::Option& option) { return option.get_expected_max() > 0; }

/// Keeps what begins with `typed`, in front of which `before` is put.
void add(Completion& completion, const Candidates& candidates, const std::string& typed,
         const std::string& before = "") {
  for (const auto& candidate : candidates) {
    if (candidate.word.starts_with(typed)) {
      completion.candidates.push_back({before + candidate.word, candidate.description});
    }
  }
}

void add_values(Completion& completion, const CLI::App& command, const CLI::Option& option,
                const std::string& typed, const std::string& before = "") {
  const std::string& words = option.get_option_text();
  if (words.find('|') != std::string::npos) {
    Candidates candidates;
    for (const std::string& word : CLI::detail::split(words, '|')) candidates.push_back({word, ""});
    add(completion, candidates, typed, before);
    return;
  }
  const Source source = source_of(command.get_name(), name_of(option));
  if (source.candidates != nullptr) add(completion, source.candidates(), typed, before);
  completion.files = source.files;
}

const CLI::Option* find_option(const CLI::App& command, const std::string& word) {
  if (!word.starts_with('-')) return nullptr;
  return command.get_option_no_throw(word.substr(0, word.find('=')));
}

const CLI::App* find_command(const CLI::App& command, const std::string& word) {
  const auto found =
      command.get_subcommands([&](const CLI::App* below) { return below->get_name() == word; });
  return found.empty() ? nullptr : found.front();
}

/// Where the finished words lead.
struct Position {
  const CLI::App* command;
  const CLI::Option* awaited = nullptr;  ///< the option whose value comes next
  std::size_t positionals = 0;           ///< words that were arguments of the command
};

Position follow(const CLI::App& app, const std::vector<std::string>& words) {
  Position at{&app};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (at.awaited != nullptr) {
      at.awaited = nullptr;
    } else if (const CLI::Option* option = find_option(*at.command, word)) {
      if (takes_value(*option) && word.find('=') == std::string::npos) at.awaited = option;
    } else if (const CLI::App* below = find_command(*at.command, word)) {
      at = {below};
    } else if (!word.starts_with('-')) {
      ++at.positionals;
    }
  }
  return at;
}

void add_positional(Completion& completion, const Position& at, const std::string& typed) {
  std::size_t index = 0;
  for (const CLI::Option* option : at.command->get_options()) {
    if (!option->nonpositional() && option->get_positional()) {
      const bool many = option->get_expected_max() > 1;
      if (index == at.positionals || (many && index < at.positionals)) {
        return add_values(completion, *at.command, *option, typed);
      }
      ++index;
    }
  }
}

}  // namespace

Completion complete(const CLI::App& app, const std::vector<std::string>& words) {
  Completion completion;
  const std::string typed = words.empty() ? "" : words.back();
  const Position at = follow(app, words);
  if (at.awaited != nullptr) {
    add_values(completion, *at.command, *at.awaited, typed);
  } else if (const auto equals = typed.find('='); typed.starts_with("--") && equals != typed.npos) {
    if (const CLI::Option* option = find_option(*at.command, typed)) {
      add_values(completion, *at.command, *option, typed.substr(equals + 1),
                 typed.substr(0, equals + 1));
    }
  } else if (typed.starts_with('-')) {
    Candidates options;
    for (const CLI::Option* option : at.command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        options.push_back({"--" + name, option->get_description()});
      }
    }
    add(completion, options, typed);
  } else {
    Candidates commands;
    for (const CLI::App* below :
         at.command->get_subcommands([](const CLI::App*) { return true; })) {
      if (!hidden(*below)) commands.push_back({below->get_name(), below->get_description()});
    }
    if (at.positionals == 0) add(completion, commands, typed);
    add_positional(completion, at, typed);
  }
  return completion;
}

std::string to_text(const Completion& completion) {
  std::string text;
  for (const auto& candidate : completion.candidates) {
    text += candidate.word + "\t" + candidate.description + "\n";
  }
  return text + (completion.files ? "\t\n" : "");
}

std::string completion_script(const std::string& shell) {
  return base::read_file(base::data_directory() / "completions" / ("weft." + shell));
}

}  // namespace weft::cli
