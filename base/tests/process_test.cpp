// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/tests/messages.h"

namespace weft::base {
namespace {

namespace fs = std::filesystem;

class ProcessTest : public ::testing::Test {
 protected:
  ProcessTest() {
    std::string pattern = (fs::temp_directory_path() / "weft-process-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
  }
  ~ProcessTest() override { fs::remove_all(directory_); }

  /// A fake tool: an executable shell script.
  [[nodiscard]] fs::path tool(const std::string& name, const std::string& body) const {
    fs::path path = directory_ / name;
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  [[nodiscard]] Command command(const std::string& body) const {
    Command result;
    result.argv = {tool("tool", body).string()};
    return result;
  }

  fs::path directory_;
};

std::string tool_error(const ProcessResult& result) {
  try {
    check(result);
  } catch (const ToolError& error) {
    return error.what();
  }
  return "";
}

using test::contains;

bool alive(pid_t pid) {
  // A zombie that its new parent has not yet reaped is dead enough.
  std::ifstream stat(fmt::format("/proc/{}/stat", pid));
  std::string number;
  std::string name;
  std::string state;
  return (stat >> number >> name >> state) && state != "Z";
}

/// A killed process that is not weft's own child goes a moment after the kill.
bool dies(pid_t pid) {
  for (int i = 0; i < 200 && alive(pid); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !alive(pid);
}

pid_t read_pid(const fs::path& path) {
  for (int i = 0; i < 500; ++i) {
    pid_t pid = 0;
    if (std::ifstream(path) >> pid) return pid;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return 0;
}

TEST_F(ProcessTest, PassesArgumentsDirectoryAndEnvironmentUntouched) {
  Command c = command("printf '%s|' \"$@\" \"$WEFT_A\" \"$(pwd)\"; printf error >&2");
  c.argv.insert(c.argv.end(), {"a b", "$HOME", "", "*"});
  c.environment = {{"WEFT_A", "x y"}};
  c.directory = directory_;
  c.log = directory_ / "log";
  const ProcessResult result = run_process(c);
  EXPECT_TRUE(result.ok());
  const std::string expected = "a b|$HOME||*|x y|" + fs::canonical(directory_).string() + "|error";
  EXPECT_EQ(result.output_tail, expected);
  EXPECT_EQ(read_file(c.log), expected);
  EXPECT_NO_THROW(check(result));
}

TEST_F(ProcessTest, KeepsTheWholeLogButOnlyTheTailInMemory) {
  Command c = command("i=0; while [ $i -lt 9000 ]; do echo line $i; i=$((i+1)); done");
  c.log = directory_ / "log";
  const ProcessResult result = run_process(c);
  EXPECT_EQ(result.output_tail.size(), 16384U);
  EXPECT_TRUE(result.output_tail.ends_with("line 8999\n"));
  const std::string log = read_file(c.log);
  EXPECT_TRUE(log.starts_with("line 0\nline 1\n"));
  EXPECT_TRUE(log.ends_with(result.output_tail));
}

TEST_F(ProcessTest, NamesExitStatusLogAndLastLines) {
  Command c = command("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do echo step $i; done; exit 7");
  c.log = directory_ / "log";
  const ProcessResult result = run_process(c);
  EXPECT_EQ(result.end, ProcessEnd::exited);
  EXPECT_EQ(result.code, 7);
  const std::string text = tool_error(result);
  EXPECT_TRUE(contains(text, "exit status 7")) << text;
  EXPECT_TRUE(contains(text, c.log.string())) << text;
  EXPECT_TRUE(contains(text, "\n  step 3\n")) << text;
  EXPECT_TRUE(text.ends_with("step 14")) << text;
  EXPECT_FALSE(contains(text, "step 2\n")) << text;
}

TEST_F(ProcessTest, SaysWhatIsNotInstalledAndInWhichPackage) {
  Command c;
  c.argv = {"weft-no-such-tool"};
  EXPECT_EQ(tool_error(run_process(c)),
            "weft-no-such-tool is not installed (Debian package weft-no-such-tool)");
  c.argv = {(directory_ / "nothing").string()};
  EXPECT_TRUE(contains(tool_error(run_process(c)), "nothing is not an executable file"));
}

TEST_F(ProcessTest, SaysWhyAToolCannotBeStarted) {
  Command c;
  c.argv = {tool("broken", "").string()};
  std::ofstream(c.argv[0]) << "#!/no/such/interpreter\n";
  const ProcessResult result = run_process(c);
  EXPECT_EQ(result.end, ProcessEnd::not_started);
  EXPECT_TRUE(contains(tool_error(result), "cannot be started: No such file or directory"));

  Command nowhere = command("true");
  nowhere.directory = directory_ / "missing";
  EXPECT_EQ(run_process(nowhere).end, ProcessEnd::not_started);
}

TEST_F(ProcessTest, TakesSignalNineForLackOfMemory) {
  const ProcessResult result = run_process(command("echo working; kill -9 $$"));
  EXPECT_EQ(result.end, ProcessEnd::signalled);
  EXPECT_EQ(result.code, SIGKILL);
  const std::string text = tool_error(result);
  EXPECT_TRUE(contains(text, "was killed, probably out of memory: peak ")) << text;
}

TEST_F(ProcessTest, NamesOtherSignals) {
  const std::string text = tool_error(run_process(command("kill -SEGV $$")));
  EXPECT_TRUE(contains(text, "signal 11 (Segmentation fault)")) << text;
}

TEST_F(ProcessTest, LimitsMemory) {
  Command c;
  c.argv = {"python3", "-c", "x = bytearray(1 << 30); print('allocated')"};
  c.memory_limit_bytes = 512U << 20;
  const ProcessResult limited = run_process(c);
  EXPECT_FALSE(limited.ok());
  EXPECT_FALSE(contains(limited.output_tail, "allocated"));
  const std::string bad_alloc = tool_error(run_process(command("echo std::bad_alloc; exit 1")));
  EXPECT_TRUE(contains(bad_alloc, "ran out of memory")) << bad_alloc;
}

TEST_F(ProcessTest, KillsTheWholeGroupOnTimeout) {
  Command c = command("sleep 100 & echo $! > " + (directory_ / "pid").string() + "; wait");
  c.timeout = std::chrono::milliseconds(400);
  const ProcessResult result = run_process(c);
  EXPECT_EQ(result.end, ProcessEnd::timed_out);
  EXPECT_GE(result.wall_seconds, 0.4);
  EXPECT_LT(result.wall_seconds, 5.0);
  EXPECT_TRUE(contains(tool_error(result), "longer than 0.4 s"));
  EXPECT_TRUE(dies(read_pid(directory_ / "pid")));
}

TEST_F(ProcessTest, LeavesNoBackgroundProcessOfAToolThatExited) {
  const ProcessResult result =
      run_process(command("sleep 100 & echo $! > " + (directory_ / "pid").string()));
  EXPECT_TRUE(result.ok());
  EXPECT_LT(result.wall_seconds, 5.0);
  EXPECT_TRUE(dies(read_pid(directory_ / "pid")));
}

TEST_F(ProcessTest, StopsWhenTheLogCannotBeWritten) {
  Command c = command("while :; do echo line; done");
  c.log = "/dev/full";
  const ProcessResult result = run_process(c);
  EXPECT_EQ(result.end, ProcessEnd::log_failed);
  EXPECT_TRUE(contains(tool_error(result), "log /dev/full cannot be written: No space left"));
  c.log = directory_ / "missing" / "log";
  EXPECT_TRUE(contains(tool_error(run_process(c)), "No such file or directory"));
}

TEST_F(ProcessTest, MeasuresProcessorTimeAndMemoryOfTheToolAndItsChildren) {
  Command c;
  c.argv = {"sh", "-c", "python3 -c 'x = b\"a\" * (200 << 20); s = sum(range(10**7))'; true"};
  const ProcessResult result = run_process(c);
  ASSERT_TRUE(result.ok()) << result.output_tail;
  EXPECT_GE(result.peak_rss_bytes, 200U << 20);
  EXPECT_LT(result.peak_rss_bytes, 400U << 20);
  EXPECT_GT(result.cpu_seconds, 0.02);
  EXPECT_LT(result.cpu_seconds, result.wall_seconds + 0.5);
}

TEST_F(ProcessTest, DoesNotWaitForInput) { EXPECT_TRUE(run_process(command("cat")).ok()); }

// In a process of its own: a noted signal stays noted.
TEST_F(ProcessTest, KillsTheGroupWhenWeftIsInterrupted) {
  const fs::path pid_file = directory_ / "pid";
  const Command c = command("sleep 100 & echo $! > " + pid_file.string() + "; wait");
  const pid_t weft = ::fork();
  if (weft == 0) {
    catch_interrupts();
    try {
      run_process(c);
    } catch (const Interrupted& interrupted) {
      ::_exit(128 + interrupted.signal);
    }
    ::_exit(0);
  }
  const pid_t sleeper = read_pid(pid_file);
  ASSERT_GT(sleeper, 0);
  ::kill(weft, SIGINT);
  int status = 0;
  ::waitpid(weft, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  EXPECT_TRUE(dies(sleeper));
}

TEST_F(ProcessTest, RunsFromSeveralThreads) {
  const Command c = command("echo hello; exit 3");
  std::vector<std::thread> threads;
  threads.reserve(4);
  std::atomic<int> good = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 10; ++k) {
        const ProcessResult result = run_process(c);
        good += result.code == 3 && result.output_tail == "hello\n";
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, 40);
}

}  // namespace
}  // namespace weft::base
