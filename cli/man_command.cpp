// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "base/installation.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace weft::cli {
namespace {

/// Text as roff takes it literally.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
      result += c;
    }
  }
  return result;
}

std::string option_entry(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += fmt::format(", \\fB\\-{}\\fR", name);
  for (const std::string& name : option.get_lnames()) {
    names += fmt::format(", \\fB\\-\\-{}\\fR", escaped(name));
  }
  names = names.empty() ? fmt::format("\\fI{}\\fR", escaped(option.get_name())) : names.substr(2);
  if (option.nonpositional() && option.get_expected_max() > 0) {
    const std::string& text = option.get_option_text();
    names += fmt::format(" \\fI{}\\fR", escaped(text.empty() ? option.get_type_name() : text));
  }
  std::string description = escaped(option.get_description());
  if (!option.get_default_str().empty()) {
    description += fmt::format(" (default: {})", escaped(option.get_default_str()));
  }
  return fmt::format(".TP\n{}\n{}\n", names, description);
}

/// A command and those below it.
std::string command_entry(const CLI::App& command, const std::string& before) {
  if (command.get_group().empty()) return "";
  const std::string name = before + " " + command.get_name();
  std::string text = fmt::format(".SS {}\n{}\n", escaped(name), escaped(command.get_description()));
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name() != "--help") text += option_entry(*option);
  }
  if (const std::string footer = command.get_footer(); !footer.empty()) {
    text += fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(footer));
  }
  for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; })) {
    text += command_entry(*below, name);
  }
  return text;
}

std::string man_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH WEFT 1 \"\" \"weft {}\" \"User commands\"\n"
      ".SH NAME\nweft \\- hardware co\\-design workbench\n"
      ".SH SYNOPSIS\n\\fBweft\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n"
      ".SH DESCRIPTION\n{}\n.SH COMMANDS\n",
      base::version(), escaped(app.get_description()));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    text += command_entry(*command, "weft");
  }
  return text +
         ".SH EXIT STATUS\n"
         ".TP\n0\nEverything asked for was done and agrees.\n"
         ".TP\n1\nThe RTL and the model disagree, or a requirement is not met.\n"
         ".TP\n2\nThe command line, a configuration or a file of the user's is wrong.\n"
         ".TP\n3\nA tool is missing, too old, failed, or was killed.\n"
         ".TP\n128 + N\nSignal N ended the command.\n"
         ".SH ENVIRONMENT\n"
         ".TP\n\\fBWEFT_CACHE\\fR\nThe folder of former results and built designs "
         "(default: ~/.cache/weft).\n";
}

}  // namespace

void add_man(CLI::App& app, ExitStatus& /*status*/) {
  auto* command = app.add_subcommand("man", "Print the manual page: weft man | man -l -");
  command->callback([&app] { print(man_page(app)); });
}

}  // namespace weft::cli
