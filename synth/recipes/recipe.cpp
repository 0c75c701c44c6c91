// SPDX-License-Identifier: Apache-2.0
#include "synth/recipes/recipe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace weft::synth {
namespace {

constexpr const char* placeholder_names[] = {"top",       "library",    "constraints",
                                             "period_ps", "abc_script", "flatten"};

bool mentions(const std::vector<Pass>& passes, std::string_view text) {
  return std::any_of(passes.begin(), passes.end(), [&](const Pass& pass) {
    return pass.command.find(text) != std::string::npos;
  });
}

/// The lines of a user's script. They have no reasons: the user knows them.
std::vector<Pass> read_script(const std::filesystem::path& path) {
  std::istringstream text(base::read_file(path));
  static const std::regex placeholder("\\{([a-z_]+)\\}");
  std::vector<Pass> passes;
  int number = 0;
  bool empty = true;
  for (std::string line; std::getline(text, line);) {
    ++number;
    for (std::sregex_iterator match(line.begin(), line.end(), placeholder), end; match != end;
         ++match) {
      const std::string name = (*match)[1];
      if (std::ranges::find(placeholder_names, name) == std::ranges::end(placeholder_names))
        throw UserError(fmt::format("{}:{}: {{{}}} is none of the placeholders {{{}}}",
                                    path.string(), number, name,
                                    fmt::join(placeholder_names, "}, {")));
    }
    const auto first = line.find_first_not_of(" \t\r");
    empty = empty && (first == std::string::npos || line[first] == '#');
    passes.push_back({line, ""});
  }
  if (empty) throw UserError(fmt::format("{}: the script has no commands", path.string()));
  return passes;
}

const Recipe& find_recipe(const std::string& name) {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes()) {
    if (recipe.name == name) return recipe;
    names.push_back(recipe.name);
  }
  throw UserError(fmt::format("recipe '{}' is none of {}{}", base::printable(name),
                              fmt::join(names, ", "), base::did_you_mean(name, names)));
}

std::string table(const std::vector<Pass>& passes) {
  std::string text = "| command | why |\n|---|---|\n";
  for (const Pass& pass : passes) text += fmt::format("| `{}` | {} |\n", pass.command, pass.why);
  return text;
}

}  // namespace

bool Recipe::can_keep_modules() const {
  return mentions(gates, "{flatten}") || mentions(mapping, "{flatten}");
}

Recipe load_recipe(const RecipeOptions& options) {
  Recipe recipe = find_recipe(options.name);
  if (!options.script.empty()) {
    recipe.name = options.script.filename().string();
    recipe.gates.clear();
    recipe.mapping = read_script(options.script);
  }
  if (!options.abc_script.empty()) {
    recipe.name =
        options.script.empty()
            ? fmt::format("{} with {}", recipe.name, options.abc_script.filename().string())
            : fmt::format("{} and {}", recipe.name, options.abc_script.filename().string());
    recipe.abc = read_script(options.abc_script);
    if (!mentions(recipe.mapping, "{abc_script}"))
      throw UserError(
          fmt::format("{}: the Yosys script {} does not use it: write -script "
                      "{{abc_script}} behind abc",
                      options.abc_script.string(), options.script.string()));
  }
  return recipe;
}

std::string expand(std::string text, const std::map<std::string, std::string>& placeholders) {
  for (const auto& [name, value] : placeholders) {
    const std::string token = fmt::format("{{{}}}", name);
    for (auto at = text.find(token); at != std::string::npos;
         at = text.find(token, at + value.size()))
      text.replace(at, token.size(), value);
  }
  return text;
}

std::string script_lines(const std::vector<Pass>& passes,
                         const std::map<std::string, std::string>& placeholders) {
  std::string text;
  for (const Pass& pass : passes) {
    std::string line = expand(pass.command, placeholders);
    while (line.ends_with(' ')) line.pop_back();
    text += line + "\n";
  }
  return text;
}

std::string abc_argument(const std::vector<Pass>& passes, long long period_ps) {
  std::string argument = "+";
  for (const Pass& pass : passes) {
    std::istringstream commands(expand(pass.command, {{"period_ps", std::to_string(period_ps)}}));
    for (std::string command; std::getline(commands, command, ';');) {
      std::istringstream words(command.substr(0, command.find('#')));
      std::string joined;
      for (std::string word; words >> word;) joined += (joined.empty() ? "" : ",") + word;
      if (!joined.empty()) argument += (argument.size() > 1 ? ";" : "") + joined;
    }
  }
  return argument;
}

std::string recipes_page() {
  std::string page =
      "# Synthesis recipes\n\n"
      "Made by `weft synth --list-recipes`. What the recipes gain is measured in "
      "[synthesis](../synthesis.md#recipes).\n";
  for (const Recipe& recipe : recipes())
    page += fmt::format(
        "\n## {}\n\n{}\n\nYosys, to gates:\n\n{}\nYosys, to cells of the library:\n\n{}\nABC, "
        "between registers:\n\n{}",
        recipe.name, recipe.summary, table(recipe.gates), table(recipe.mapping), table(recipe.abc));
  return page;
}

}  // namespace weft::synth
