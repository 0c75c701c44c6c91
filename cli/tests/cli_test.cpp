// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/files.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace weft::cli {
namespace {

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

const std::string weft = WEFT_BINARY_DIR "/cli/weft";

class Cli : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "weft_cli_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  /// Runs weft through a shell, with its output redirected unless `arguments` does it.
  [[nodiscard]] Outcome run(const std::string& arguments) const {
    const std::string out = (directory / "out").string();
    const std::string err = (directory / "err").string();
    const int status =
        std::system(fmt::format(">{} 2>{} {} {}", out, err, weft, arguments).c_str());
    return {WEXITSTATUS(status), base::read_file(out), base::read_file(err)};
  }

  std::filesystem::path directory;
};

TEST_F(Cli, TellsItsVersion) {
  const Outcome outcome = run("--version");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.out.starts_with("weft ")) << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Cli, ListsItsCommands) {
  const Outcome outcome = run("--help");
  EXPECT_EQ(outcome.status, 0);
  for (const char* command : {"explain", "presets", "schema"}) {
    EXPECT_NE(outcome.out.find(command), std::string::npos);
  }
}

TEST_F(Cli, EndsWithTheStatusOfAUsageError) {
  for (const char* arguments : {"", "explain a b", "schema --nope", "explain --markdown rows"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_NE(outcome.err, "") << arguments;
  }
}

TEST_F(Cli, SuggestsNames) {
  EXPECT_EQ(run("shema").err,
            "weft: no command is called 'shema'; did you mean 'schema'?\n"
            "Run 'weft --help' for all commands.\n");
  EXPECT_EQ(run("explain rosw").err, "no parameter is called 'rosw'; did you mean 'rows'?\n");
  EXPECT_EQ(run("schema tensor").err,
            "no kind of design is called 'tensor'; did you mean 'tensor_array'?\n");
  EXPECT_EQ(run("presets gemini").err,
            "no preset is called 'gemini'; did you mean 'gemmini'?\n"
            "Run 'weft presets' for all of them.\n");
  EXPECT_EQ(run("presets ../presets/gemmini").status, 2);
}

TEST_F(Cli, PrintsTheSchemaAsJson) {
  const Outcome outcome = run("schema");
  EXPECT_EQ(outcome.status, 0);
  const auto schema = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(schema["properties"]["rows"]["maximum"], 256);
  EXPECT_EQ(run("schema tensor_array").out, outcome.out);
}

TEST_F(Cli, ListsAndPrintsPresets) {
  const Outcome list = run("presets");
  EXPECT_EQ(list.status, 0);
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(WEFT_SOURCE_DIR "/arch/presets")) {
    const std::string name = file.path().stem();
    EXPECT_NE(("\n" + list.out).find("\n" + name + " "), std::string::npos) << name;
    EXPECT_EQ(run("presets " + name).out, base::read_file(file.path()));
    ++count;
  }
  EXPECT_EQ(std::ranges::count(list.out, '\n'), count);
}

TEST_F(Cli, ReportsAFullDisk) {
  const Outcome outcome = run("schema >/dev/full");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "cannot write 'standard output': No space left on device\n");
  EXPECT_EQ(run("--help >/dev/full").status, 2);
}

/// The status of `weft schema` when nobody reads its output and it gets `signal`.
int status_after(int signal) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execl(weft.c_str(), "weft", "schema", nullptr);
    _exit(99);
  }
  // The schema is larger than a pipe: when the pipe is full, weft waits in its write.
  usleep(300000);
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  close(ends[0]);
  close(ends[1]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Interrupt, EndsWithTheConventionalStatus) {
  EXPECT_EQ(status_after(SIGINT), 130);
  EXPECT_EQ(status_after(SIGTERM), 143);
}

TEST(DurationText, FitsTheLength) {
  EXPECT_EQ(duration_text(std::chrono::milliseconds(4)), "0.00 s");
  EXPECT_EQ(duration_text(std::chrono::milliseconds(9990)), "9.99 s");
  EXPECT_EQ(duration_text(std::chrono::milliseconds(12340)), "12.3 s");
  EXPECT_EQ(duration_text(std::chrono::milliseconds(99960)), "1 min 40 s");
  EXPECT_EQ(duration_text(std::chrono::seconds(3605)), "60 min 05 s");
}

TEST_F(Cli, TellsStepsWhenTheyBeginAndEnd) {
  const auto path = directory / "progress";
  std::FILE* stream = std::fopen(path.c_str(), "w");
  {
    Step step("building", stream);
    EXPECT_EQ(base::read_file(path), "building ...\n");
    step.done("cached");
    Step failing("failing", stream);
  }
  std::fclose(stream);
  EXPECT_EQ(base::read_file(path), "building ...\nbuilding: cached (0.00 s)\nfailing ...\n");
}

TEST_F(Cli, WritesJsonThatFitsOnLines) {
  const nlohmann::ordered_json json = {
      {"short", {1, 2, 3}}, {"long", std::vector<int>(60, 1)}, {"empty", nlohmann::json::object()}};
  const std::string path = (directory / "a.json").string();
  write_json(json, path);
  const std::string text = base::read_file(path);
  EXPECT_EQ(nlohmann::ordered_json::parse(text), json);
  EXPECT_NE(text.find("  \"short\": [1,2,3],\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace weft::cli
