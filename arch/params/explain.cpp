// SPDX-License-Identifier: Apache-2.0
#include "arch/params/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace weft::arch {
namespace {

std::string default_text(const Parameter& parameter) {
  return parameter.default_value ? to_text(*parameter.default_value) : "none: required";
}

std::string accepted_text(const Parameter& parameter) {
  const std::string legal = legal_text(parameter.domain);
  return parameter.automatic.empty() ? legal : legal + " | auto";
}

/// The sentences of the rules and checks that mention the parameter.
std::vector<std::string> rules_about(const Kind& kind, const std::string& parameter) {
  std::vector<std::string> rules;
  for (const Rule& rule : kind.rules) {
    const bool about = std::ranges::any_of(rule.clauses, [&](const Clause& clause) {
      return clause.then.parameter == parameter ||
             std::ranges::count(clause.when, parameter, &Condition::parameter) > 0;
    });
    if (about) rules.push_back(rule.doc);
  }
  for (const Check& check : kind.checks) {
    if (std::ranges::count(check.parameters, parameter) > 0) rules.push_back(check.doc);
  }
  return rules;
}

/// The sentences of all rules and checks.
std::vector<std::string> all_rules(const Kind& kind) {
  std::vector<std::string> rules;
  for (const Rule& rule : kind.rules) rules.push_back(rule.doc);
  for (const Check& check : kind.checks) rules.push_back(check.doc);
  return rules;
}

std::string explain_parameter(const Kind& kind, const Parameter& parameter) {
  std::string text = fmt::format("{} ({})\n  {}\n", parameter.name, kind.name, parameter.doc);
  const auto line = [&](std::string_view label, std::string_view what) {
    text += fmt::format("  {:<8} {}\n", label, what);
  };
  line("type", type_text(parameter.domain));
  line("legal", accepted_text(parameter));
  line("default", default_text(parameter));
  if (!parameter.unit.empty()) line("unit", parameter.unit);
  if (!parameter.automatic.empty()) line("auto", parameter.automatic);
  for (const std::string& rule : rules_about(kind, parameter.name)) line("rule", rule);
  return text;
}

std::string explain_kind(const Kind& kind) {
  std::size_t width = 0;
  for (const Parameter& parameter : kind.parameters) {
    width = std::max(width, parameter.name.size());
  }
  std::string text = fmt::format("{}: {}\n", kind.name, kind.doc);
  for (const Parameter& parameter : kind.parameters) {
    text +=
        fmt::format("  {:<{}}  {}\n  {:{}}    {} (default {})\n", parameter.name, width,
                    parameter.doc, "", width, accepted_text(parameter), default_text(parameter));
  }
  for (const std::string& rule : all_rules(kind)) text += fmt::format("  rule: {}\n", rule);
  return text;
}

/// `|` would end the cell of a table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string explain(const std::vector<const Kind*>& kinds, std::string_view name) {
  std::string text;
  std::vector<std::string> names;
  for (const Kind* kind : kinds) {
    if (kind->name == name) return explain_kind(*kind);
    if (const Parameter* parameter = kind->find(name)) text += explain_parameter(*kind, *parameter);
    names.push_back(kind->name);
    std::ranges::copy(kind->parameter_names(), std::back_inserter(names));
  }
  if (text.empty()) {
    throw UserError(fmt::format("no parameter is called '{}'{}", base::printable(name),
                                base::did_you_mean(name, names)));
  }
  return text;
}

std::string explain_all(const std::vector<const Kind*>& kinds) {
  std::string text;
  for (const Kind* kind : kinds) text += explain_kind(*kind);
  return text;
}

std::string reference_page(const std::vector<const Kind*>& kinds) {
  std::string page =
      "# Parameters\n\n"
      "Made by `weft explain --markdown` from the declarations in `arch/`; do not edit.\n";
  for (const Kind* kind : kinds) {
    page += fmt::format("\n## {}\n\n{}\n\n", kind->name, kind->doc);
    page += "| parameter | legal values | default | unit | meaning |\n|---|---|---|---|---|\n";
    std::string automatic;
    for (const Parameter& parameter : kind->parameters) {
      page += fmt::format("| `{}` | {} | {} | {} | {} |\n", parameter.name,
                          cell(accepted_text(parameter)), default_text(parameter), parameter.unit,
                          cell(parameter.doc));
      if (!parameter.automatic.empty()) {
        automatic += fmt::format("- `{}: auto` is {}.\n", parameter.name, parameter.automatic);
      }
    }
    if (!automatic.empty()) page += "\n" + automatic;
    const std::vector<std::string> rules = all_rules(*kind);
    if (!rules.empty()) page += "\nRules between parameters:\n\n";
    for (const std::string& rule : rules) page += fmt::format("- {}\n", rule);
  }
  return page;
}

}  // namespace weft::arch
