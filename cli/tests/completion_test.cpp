// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/files.h"
#include "base/process.h"
#include "cli/tests/cli_fixture.h"

namespace weft::cli {
namespace {

class Completing : public Cli {
 protected:
  /// The words that may stand at the end of a command line; "<files>" for the names of files.
  std::set<std::string> after(const std::string& line) {
    const Outcome outcome = run("complete " + line);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::set<std::string> words;
    std::size_t begin = 0;
    for (std::size_t end; (end = outcome.out.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      const std::string word = outcome.out.substr(begin, outcome.out.find('\t', begin) - begin);
      words.insert(word.empty() ? "<files>" : word);
    }
    return words;
  }
};

TEST_F(Completing, CommandsButNotHiddenOnes) {
  EXPECT_EQ(after("syn"), std::set<std::string>{"synth"});
  const auto all = after("''");
  EXPECT_TRUE(all.contains("gen"));
  EXPECT_FALSE(all.contains("complete"));
  EXPECT_FALSE(all.contains("<files>"));
}

TEST_F(Completing, ConfigurationsArePresetsAndFiles) {
  EXPECT_EQ(after("gen quick"), (std::set<std::string>{"quickstart", "<files>"}));
  EXPECT_TRUE(after("gen ''").contains("tpu_v1"));
  EXPECT_TRUE(after("gen tpu_v1 ''").empty()) << "gen takes one configuration";
}

TEST_F(Completing, OptionsAndTheirValues) {
  EXPECT_EQ(after("synth x --mem"), std::set<std::string>{"--memories"});
  EXPECT_EQ(after("synth x --memories r"), std::set<std::string>{"registers"});
  EXPECT_EQ(after("synth x --memories=r"), std::set<std::string>{"--memories=registers"});
  EXPECT_EQ(after("synth --recipe ''"), (std::set<std::string>{"area", "balanced", "speed"}));
  EXPECT_TRUE(after("synth x --target osu").contains("osu018"));
  EXPECT_EQ(after("synth x --json ''"), std::set<std::string>{"<files>"});
  EXPECT_TRUE(after("cosim x --workload dig").contains("digits"));
}

TEST_F(Completing, FlagsTakeNoValue) {
  EXPECT_EQ(after("synth --fastest quick"), (std::set<std::string>{"quickstart", "<files>"}));
}

TEST_F(Completing, OtherNames) {
  EXPECT_TRUE(after("explain virtual").contains("virtual_channels"));
  EXPECT_EQ(after("schema tens"), std::set<std::string>{"tensor_array"});
  EXPECT_EQ(after("completion z"), std::set<std::string>{"zsh"});
  EXPECT_TRUE(after("nonsense ''").empty());
}

TEST_F(Completing, ScriptsAreAcceptedByTheirShells) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Outcome outcome = run("completion " + shell);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    if (!base::run_process({.argv = {shell, "--version"}}).ok()) continue;
    base::write_file_atomic(path("script"), outcome.out);
    const auto check = base::run_process({.argv = {shell, "-n", path("script")}});
    EXPECT_TRUE(check.ok()) << shell << ": " << check.output_tail;
  }
  EXPECT_EQ(run("completion csh").status, 2);
}

TEST_F(Completing, BashOffersWhatWeftAnswers) {
  write("quicksand.yaml", "");
  base::write_file_atomic(path("script"), run("completion bash").out);
  // As bash splits `weft synth x --memories=re`, whose last word alone it replaces, and `weft gen
  // quick`.
  const std::string script = R"(
    source ./script
    compopt() { :; }
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _weft; printf '%s\n' "${COMPREPLY[@]}"; echo .; }
    try WEFT synth x --memories = re
    try WEFT gen quick
  )";
  std::string with_weft = script;
  for (std::size_t at; (at = with_weft.find("WEFT")) != std::string::npos;)
    with_weft.replace(at, 4, std::string(WEFT_BINARY_DIR) + "/cli/weft");
  const auto tried = base::run_process({.argv = {"bash", "-c", with_weft}, .directory = path("")});
  EXPECT_EQ(tried.output_tail, "registers\n.\nquickstart\nquicksand.yaml\n.\n");
}

TEST_F(Completing, TheManualPageHasAllCommandsAndOptions) {
  const Outcome outcome = run("man");
  ASSERT_EQ(outcome.status, 0);
  for (const char* text : {".SS weft synth", "\\-\\-frontier", ".SH EXIT STATUS", "balanced"}) {
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(outcome.out.find(".SS weft complete\n"), std::string::npos);
  if (!base::run_process({.argv = {"groff", "--version"}}).ok()) return;
  base::write_file_atomic(path("weft.1"), outcome.out);
  const auto formatted =
      base::run_process({.argv = {"groff", "-man", "-ww", "-Tascii", "-z", path("weft.1")}});
  EXPECT_TRUE(formatted.ok());
  EXPECT_EQ(formatted.output_tail, "");
}

}  // namespace
}  // namespace weft::cli
