// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace weft::cli {

/// What a shell may put in place of an unfinished word.
struct Completion {
  struct Candidate {
    std::string word;
    std::string description;  ///< one line; may be empty
  };
  std::vector<Candidate> candidates;
  bool files = false;  ///< so may the names of files
};

/// Completes the last of `words`, which stand behind `weft` on the command line that `app`
/// declares.
[[nodiscard]] Completion complete(const CLI::App& app, const std::vector<std::string>& words);

/// One candidate a line, a tab and its description behind it; a line of a tab alone stands for
/// files.
[[nodiscard]] std::string to_text(const Completion& completion);

/// The script that makes a shell ask `weft` for completions: "bash", "zsh" or "fish".
/// Throws UserError if the installation lacks it.
[[nodiscard]] std::string completion_script(const std::string& shell);

}  // namespace weft::cli
