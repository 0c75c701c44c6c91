// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::synth {

/// One command of a script, and why it is there.
struct Pass {
  std::string command;
  std::string why;
};

/// How an elaborated design becomes a netlist of library cells.
///
/// Commands may hold placeholders, which expand() replaces: {top}, {library} (the Liberty file),
/// {constraints} (ABC's: driving cell and load), {period_ps}, {abc_script} (the `abc` passes, as
/// Yosys takes them), and {flatten}: "-flatten", or nothing when modules are measured apart.
struct Recipe {
  std::string name;
  std::string summary;
  std::vector<Pass> gates;    ///< Yosys, to its own gates; empty: `mapping` does that as well
  std::vector<Pass> mapping;  ///< Yosys, from gates to library cells
  std::vector<Pass> abc;      ///< ABC, the logic between registers

  /// Whether modules can be kept apart: the commands say where flattening happens.
  [[nodiscard]] bool can_keep_modules() const;
};

/// The recipes that weft brings: area, balanced (the default) and speed.
const std::vector<Recipe>& recipes();

/// What a caller may say about the recipe.
struct RecipeOptions {
  std::string name = "balanced";
  /// A Yosys script of the user's own in place of the recipe's Yosys passes: from the elaborated
  /// design to library cells. Empty: none.
  std::filesystem::path script{};
  /// An ABC script in place of the recipe's ABC passes. Empty: none.
  std::filesystem::path abc_script{};
};

/// The recipe that the options describe. Throws UserError if there is no recipe of that name, a
/// script cannot be read or is empty, or a script has a placeholder that there is not.
Recipe load_recipe(const RecipeOptions& options);

/// `text` with its placeholders replaced. Words in braces that are no placeholders stay.
std::string expand(std::string text, const std::map<std::string, std::string>& placeholders);

/// The commands, one a line, with placeholders replaced.
std::string script_lines(const std::vector<Pass>& passes,
                         const std::map<std::string, std::string>& placeholders);

/// The ABC passes as the argument that Yosys' `abc -script` takes: in a line, with commas for
/// blanks. (Yosys takes a file as well, but fails if there is a blank in its path.)
std::string abc_argument(const std::vector<Pass>& passes, long long period_ps);

/// All recipes as a page of documentation.
std::string recipes_page();

}  // namespace weft::synth
