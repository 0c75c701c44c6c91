// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/error.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/tests/cli_fixture.h"

namespace weft::cli {
namespace {

TEST_F(Cli, TellsItsVersion) {
  const Outcome outcome = run("--version");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.out.starts_with("weft ")) << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Cli, ListsItsCommands) {
  const Outcome outcome = run("--help");
  EXPECT_EQ(outcome.status, 0);
  for (const char* command : {"quickstart", "gen", "cosim", "synth", "estimate", "network",
                              "explain", "presets", "schema"}) {
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

TEST_F(Cli, SaysWhatNumberItExpects) {
  for (const char* found : {"many", "-1", "1.5", "18446744073709551616", "0x10", "''"}) {
    const Outcome outcome = run(std::string("cosim quickstart --seed ") + found);
    EXPECT_EQ(outcome.status, 2) << found;
    EXPECT_TRUE(outcome.err.starts_with("--seed: '")) << outcome.err;
    EXPECT_NE(outcome.err.find("' is not a whole number, 0..18446744073709551615\n"),
              std::string::npos)
        << outcome.err;
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
  EXPECT_EQ(schema["properties"]["kind"]["enum"],
            nlohmann::json({"tensor_array", "switch", "link"}));
  const auto of_one = nlohmann::json::parse(run("schema tensor_array").out);
  EXPECT_EQ(of_one["properties"]["rows"]["maximum"], 256);
}

TEST_F(Cli, ListsAndPrintsPresets) {
  const Outcome list = run("presets");
  EXPECT_EQ(list.status, 0);
  int count = 0;
  for (const char* folder : {"/arch/presets", "/arch/presets/workloads"}) {
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(WEFT_SOURCE_DIR) + folder)) {
      if (file.is_directory()) continue;
      const std::string name = file.path().stem();
      const auto place = list.out.find("\n  " + name + " ");
      ASSERT_NE(place, std::string::npos) << name;
      // What it is, not whose it is.
      const auto end = list.out.find('\n', place + 1);
      EXPECT_EQ(list.out.substr(place, end - place).find("SPDX"), std::string::npos);
      EXPECT_EQ(run("presets " + name).out, base::read_file(file.path()));
      ++count;
    }
  }
  // Two headings, an empty line, and the digits.
  EXPECT_EQ(std::ranges::count(list.out, '\n'), count + 4);
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
  EXPECT_TRUE(std::regex_match(
      base::read_file(path),
      std::regex("building ...\nbuilding: cached \\([0-9.]+ s\\)\nfailing ...\n")));
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

TEST_F(Cli, TellsHowFarAStepIsOnlyNowAndThenInALog) {
  std::FILE* stream = std::fopen(path("progress").c_str(), "w");
  Step step("building", stream);
  for (int i = 0; i < 1000; ++i) step.update("half");
  step.done();
  std::fclose(stream);
  EXPECT_TRUE(std::regex_match(base::read_file(path("progress")),
                               std::regex("building ...\nbuilding \\([0-9.]+ s\\)\n")));
}

TEST_F(Cli, KnowsBeforeALongRunWhatCannotBeWrittenAfterIt) {
  EXPECT_NO_THROW(require_writable(""));
  EXPECT_NO_THROW(require_writable("-"));
  EXPECT_NO_THROW(require_writable(path("new.json")));
  EXPECT_THROW(require_writable(directory.string()), UserError);
  EXPECT_THROW(require_writable(path("none/a.json")), UserError);
}

TEST_F(Cli, GeneratesFiles) {
  write("a.yaml", tiny_array);
  const Outcome outcome = run("gen a.yaml -o out_dir --clock 2.5ns");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const auto& entry : std::filesystem::directory_iterator(path("out_dir"))) {
    EXPECT_NE(outcome.out.find("  " + entry.path().filename().string() + "\n"), std::string::npos);
  }
  EXPECT_NE(base::read_file(path("out_dir/weft.sdc")).find("-period 2.5 "), std::string::npos);
  EXPECT_EQ(run("gen gemmini --out other").status, 0);
  EXPECT_TRUE(std::filesystem::exists(path("other/gemmini.v")));
}

TEST_F(Cli, GeneratesNothingWhenItCannot) {
  write("bad.yaml", "kind: tensor_array\nname: bad\nrows: 300\n");
  write("empty.yaml", "");
  write("good.yaml", tiny_array);
  write("file", "");
  struct Case {
    const char* arguments;
    const char* message;
  };
  for (const auto& [arguments, message] : {
           Case{"gen bad.yaml -o new", "bad.yaml:3:7: rows: 300"},
           Case{"gen empty.yaml -o new", "empty.yaml"},
           Case{"gen nothing.yaml -o new", "neither a file nor a preset"},
           Case{"gen gemini -o new", "did you mean 'gemmini'?"},
           Case{"gen good.yaml -o file", "'file'"},
           Case{"gen good.yaml -o file/new", "Not a directory"},
           Case{"gen good.yaml -o new --clock 5kg", "clock period '5kg'"},
           Case{"gen good.yaml", "--out is required"},
       }) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(std::filesystem::exists(path("new"))) << arguments;
  }
}

TEST_F(Cli, GeneratesSwitchesAndLinks) {
  for (const std::string preset : {"ns16", "link_8x16"}) {
    const Outcome outcome = run("gen " + preset + " -o " + preset);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(std::filesystem::exists(path(preset + "/" + preset + ".v")));
  }
}

TEST_F(Cli, WarnsOfWhatIsHardlyMeant) {
  write("slow.yaml", "kind: switch\nname: slow\nports: 2\nbuffer_depth: 3\n");
  const Outcome outcome = run("gen slow.yaml -o out_dir");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(
      outcome.err.starts_with("warning: slow.yaml: credits: 3 are fewer than the credit "
                              "round trip of 6 cycles"))
      << outcome.err;
}

TEST_F(Cli, SaysWhichKindACommandIsFor) {
  for (const char* command :
       {"estimate ns16 --workload tiny", "estimate link_8x16 --workload tiny"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(run("estimate ns16 --workload tiny").err,
            "weft estimate: kind 'switch' has no workload estimate; it is for tensor_array\n");
}

TEST_F(Cli, RefusesWrongSwitchesAndLinks) {
  struct Case {
    const char* lines;
    const char* message;
  };
  for (const auto& [lines, message] : {
           Case{"kind: switch\nswitching: virtual_cut_through\nmax_packet_flits: 9\n",
                "bad.yaml:4:19: max_packet_flits: 9 flits do not fit"},
           Case{"kind: switch\nports: 2\nrouting: address\naddress_bases: [0, 5]\n"
                "address_limits: [5, 4294967295]\n",
                "bad.yaml:6:17: address_limits: the ranges of ports 0 (0..5) and 1"},
           Case{"kind: switch\nports: 2\nrouting: address\naddress_bases: [0, 7]\n"
                "address_limits: [5, 4294967295]\n",
                "bad.yaml:6:17: address_limits: the addresses 6..6 belong to no port"},
           Case{"kind: switch\nroutes: [0, 1, 2]\n", "bad.yaml:3:9: routes: 3 entries"},
           Case{"kind: switch\nin_network_reduction: true\nflit_width: 48\n",
                "bad.yaml:4:13: flit_width: 48 does not go with in_network_reduction: true"},
           Case{"kind: link\nreplay_depth: 64\nsequence_width: 5\n", "bad.yaml:3:15: replay_depth"},
       }) {
    write("bad.yaml", std::string("name: bad\n") + lines);
    const Outcome outcome = run("gen bad.yaml -o new");
    EXPECT_EQ(outcome.status, 2) << lines;
    EXPECT_TRUE(outcome.err.starts_with(message)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path("new"))) << lines;
  }
}

TEST_F(Cli, EstimatesAWorkload) {
  write("a.yaml", tiny_array);
  write("layers.csv", "Layer, M, N, K\nfirst, 4, 3, 2\n");
  const Outcome outcome = run("estimate a.yaml --workload layers.csv --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  // One tile: two load beats; four vectors, of which the last result leaves after HR + HC + 2.
  EXPECT_EQ(json["total_cycles"], 2 + 4 + 1 + 2 + 2);
  EXPECT_EQ(json["layers"].size(), 1U);
  EXPECT_TRUE(json.contains("utilization"));
  EXPECT_NE(run("estimate a.yaml --workload layers.csv").out.find("first"), std::string::npos);
}

TEST_F(Cli, EstimateNeedsAWorkload) {
  EXPECT_EQ(run("estimate quickstart").status, 2);
  const Outcome outcome = run("estimate quickstart --workload resnet5");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("resnet50"), std::string::npos);
  EXPECT_EQ(run("estimate quickstart --workload tiny --json /nowhere/a.json").status, 2);
}

}  // namespace
}  // namespace weft::cli
