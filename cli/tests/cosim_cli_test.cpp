// SPDX-License-Identifier: Apache-2.0
//
// `weft cosim` from the command line to its exit status, with the real tools and with broken ones.
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX, not C++
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "base/process.h"
#include "cli/tests/cli_fixture.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* tiny_switch =
    "kind: switch\nname: tiny_switch\nports: 3\nbuffer_depth: 3\nmax_packet_flits: 4\n";

class CosimCli : public Cli {
 protected:
  static void SetUpTestSuite() { setenv("WEFT_CACHE", WEFT_BINARY_DIR "/test-cache", 1); }

  void SetUp() override {
    Cli::SetUp();
    write("a.yaml", tiny_array);
  }

  /// Whether a process works in the test's directory or below.
  [[nodiscard]] bool anyone_at_work() const {
    for (const auto& process : fs::directory_iterator("/proc")) {
      std::error_code error;
      const fs::path place = fs::read_symlink(process.path() / "cwd", error);
      if (!error && place.string().starts_with(directory.string() + "/")) return true;
    }
    return false;
  }

  void expect_well_formed(const std::string& xml) const {
    const auto result = base::run_process(
        {.argv = {"python3", "-c", "import sys, xml.dom.minidom as d; d.parse(sys.argv[1])", xml}});
    EXPECT_TRUE(result.ok()) << result.output_tail;
  }
};

TEST_F(CosimCli, APassIsStatus0) {
  const Outcome outcome =
      run("cosim a.yaml --seed 7 --transactions 50 --json r.json --junit r.xml");
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("PASS: ")) << outcome.out;
  EXPECT_NE(outcome.out.find("seed 7"), std::string::npos);
  const auto json = nlohmann::json::parse(base::read_file(path("r.json")));
  EXPECT_EQ(json["status"], "pass");
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["transactions"], 50);
  EXPECT_EQ(json["mismatches"], 0);
  EXPECT_EQ(json["cycle_mismatches"], 0);
  EXPECT_GT(json["elements_compared"], 1000);
  EXPECT_GT(json["rtl_cycles"], 1000);
  EXPECT_GT(json["macs_per_second"], 0);
  expect_well_formed(path("r.xml"));

  const Outcome again = run("cosim a.yaml --transactions 50 --json -");
  const auto cached = nlohmann::json::parse(again.out);
  EXPECT_EQ(cached["cached"], true);
  EXPECT_EQ(cached["seed"], 1);
}

TEST_F(CosimCli, AMismatchIsStatus1AndCanBeReproduced) {
  // A Verilator that reads what was emitted with one wire wrong.
  write_program("broken_verilator",
                "#!/bin/sh\n"
                "if [ -f tiny_array.v ]; then\n"
                "  sed -i 's/assign result_tag_o  *= /&~/' tiny_array.v\n"
                "fi\n"
                "exec verilator_bin \"$@\"\n");
  const std::string environment =
      fmt::format("WEFT_CACHE={} WEFT_VERILATOR={}", path("cache"), path("broken_verilator"));
  const Outcome outcome = run("cosim a.yaml --json r.json --junit r.xml", environment);
  ASSERT_EQ(outcome.status, 1) << outcome.out << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("FAIL: ")) << outcome.out;
  const auto json = nlohmann::json::parse(base::read_file(path("r.json")));
  EXPECT_EQ(json["status"], "fail");
  EXPECT_GT(json["mismatches"], 0);
  const std::string reproduce = json["reproduce"];
  EXPECT_NE(outcome.out.find(reproduce), std::string::npos);
  expect_well_formed(path("r.xml"));
  EXPECT_NE(base::read_file(path("r.xml")).find("<failure"), std::string::npos);

  ASSERT_TRUE(reproduce.starts_with("weft cosim a.yaml ")) << reproduce;
  const Outcome traced = run(reproduce.substr(5) + " --json -", environment);
  EXPECT_EQ(traced.status, 1);
  EXPECT_EQ(nlohmann::json::parse(traced.out)["first_mismatch"], json["first_mismatch"]);
  EXPECT_GT(fs::file_size(path("tiny_array.fst")), 0U);
}

TEST_F(CosimCli, RunsTheLayersOfAWorkload) {
  const Outcome outcome = run("cosim a.yaml --workload tiny --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["status"], "pass");
  EXPECT_GT(json["layers"].size(), 1U);
  for (const auto& layer : json["layers"]) EXPECT_EQ(layer["cycles"], layer["estimated_cycles"]);
}

TEST_F(CosimCli, ClassifiesHandwrittenDigits) {
  const Outcome outcome = run("cosim quickstart --workload digits --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["images"], 1797);
  EXPECT_EQ(json["classes_identical"], 1797);
  EXPECT_EQ(json["held_out_images"], 500);
  EXPECT_GE(json["accuracy"], 0.95);
}

TEST_F(CosimCli, RunsSwitches) {
  write("s.yaml", tiny_switch);
  const Outcome pass = run("cosim s.yaml --seed 7 --transactions 50 --json r.json --junit r.xml");
  ASSERT_EQ(pass.status, 0) << pass.out << pass.err;
  EXPECT_TRUE(pass.out.starts_with("PASS: ")) << pass.out;
  const auto json = nlohmann::json::parse(base::read_file(path("r.json")));
  EXPECT_EQ(json["status"], "pass");
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["transactions"], 50);
  EXPECT_EQ(json["mismatches"], 0);
  EXPECT_EQ(json["cycle_mismatches"], 0);
  EXPECT_GT(json["flits"], json["packets"]);
  EXPECT_GT(json["rtl_cycles"], 1000);
  expect_well_formed(path("r.xml"));

  // A Verilator that reads what was emitted with a credit lost.
  write_program("broken_verilator",
                "#!/bin/sh\n"
                "if [ -f tiny_switch_output.v ]; then\n"
                "  sed -i 's/(credit_i)/(credit_i \\& ~departs)/' tiny_switch_output.v\n"
                "fi\n"
                "exec verilator_bin \"$@\"\n");
  const std::string broken =
      "WEFT_CACHE=" + path("cache") + " WEFT_VERILATOR=" + path("broken_verilator");
  const Outcome fail = run("cosim s.yaml --seed 7", broken);
  EXPECT_EQ(fail.status, 1) << fail.out << fail.err;
  EXPECT_TRUE(fail.out.starts_with("FAIL: ")) << fail.out;
  EXPECT_NE(fail.out.find("weft cosim s.yaml --seed 7 --transactions 1000 --scenario "),
            std::string::npos)
      << fail.out;
}

TEST_F(CosimCli, TheUsersMistakesAreStatus2) {
  write("s.yaml", tiny_switch);
  write("narrow.yaml",
        "kind: tensor_array\nname: narrow\nrows: 2\ncols: 2\nstationary_format: int2\n"
        "moving_format: int2\n");
  for (const char* arguments :
       {"cosim nothing.yaml", "cosim a.yaml --seed -1", "cosim a.yaml --transactions many",
        "cosim a.yaml --json /nowhere/r.json", "cosim a.yaml --junit .",
        "cosim a.yaml --scenario 0 --trace /nowhere/w.fst", "cosim a.yaml --workload nothing",
        "cosim a.yaml --workload tiny --scenario 1", "cosim narrow.yaml --workload digits",
        "cosim s.yaml --workload digits", "cosim s.yaml --transactions 5 --scenario 100000"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(CosimCli, AMissingOrOldOrDyingToolIsStatus3) {
  fs::create_directory(path("bin"));
  const std::string cache = "WEFT_CACHE=" + path("cache");
  const Outcome missing = run("cosim a.yaml --json r.json", cache + " PATH=" + path("bin"));
  EXPECT_EQ(missing.status, 3);
  EXPECT_NE(missing.err.find("is not installed"), std::string::npos) << missing.err;

  write_program("bin/verilator", "#!/bin/sh\necho 'Verilator 4.038 2020-07-11 rev v4.036'\n");
  const Outcome old =
      run("cosim a.yaml --json r.json", cache + " WEFT_VERILATOR=" + path("bin/verilator"));
  EXPECT_EQ(old.status, 3);
  EXPECT_NE(old.err.find("4.038"), std::string::npos) << old.err;

  write_program("bin/verilator",
                "#!/bin/sh\ncase \"$*\" in *tiny_array*) kill -KILL $$;; esac\n"
                "exec verilator_bin \"$@\"\n");
  const Outcome killed =
      run("cosim a.yaml --json r.json", cache + " WEFT_VERILATOR=" + path("bin/verilator"));
  EXPECT_EQ(killed.status, 3);
  EXPECT_NE(killed.err.find("kill"), std::string::npos) << killed.err;
  EXPECT_FALSE(fs::exists(path("r.json")));
}

TEST_F(CosimCli, AnInterruptLeavesNeitherOutputNorChildren) {
  const std::string cache = path("cache");
  const pid_t weft_process = fork();
  if (weft_process == 0) {
    setenv("WEFT_CACHE", cache.c_str(), 1);
    if (chdir(directory.c_str()) != 0) _exit(99);
    execl("/bin/sh", "sh", "-c", ("exec " + weft + " cosim a.yaml --json r.json 2>err").c_str(),
          nullptr);
    _exit(99);
  }
  // Children work in the cache; weft itself doesn't.
  for (int i = 0; i < 1000 && !anyone_at_work(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(anyone_at_work());
  kill(weft_process, SIGINT);
  int status = 0;
  waitpid(weft_process, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(anyone_at_work());
  EXPECT_FALSE(fs::exists(path("r.json")));
  EXPECT_NE(base::read_file(path("err")).find("interrupted"), std::string::npos);
  EXPECT_EQ(run("cosim a.yaml --transactions 5", "WEFT_CACHE=" + cache).status, 0);
}

}  // namespace
}  // namespace weft::cli
