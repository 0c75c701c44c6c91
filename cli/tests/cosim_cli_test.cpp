// SPDX-License-Identifier: Apache-2.0
//
// `weft cosim` from the command line to its exit status, with the real tools and with broken ones.
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX, not C++
#include <unistd.h>

#include <algorithm>
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
constexpr const char* tiny_link = "kind: link\nname: tiny_link\n";

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

  /// Co-simulates with seed 7 and 50 transactions, which must pass, and with the built design once
  /// more. Returns the JSON of the first run.
  [[nodiscard]] nlohmann::json passing(const std::string& config) const {
    const std::string cosim = "cosim " + config + " --transactions 50";
    const Outcome outcome = run(cosim + " --seed 7 --json r.json --junit r.xml");
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("PASS: ")) << outcome.out;
    EXPECT_NE(outcome.out.find("seed 7"), std::string::npos) << outcome.out;
    auto json = read_json("r.json");
    EXPECT_EQ(json["status"], "pass");
    EXPECT_EQ(json["seed"], 7);
    EXPECT_FALSE(json.contains("first_mismatch"));
    EXPECT_GT(json["coverage"]["reached"], 0);
    expect_well_formed(path("r.xml"));

    const auto again = nlohmann::json::parse(run(cosim + " --json -").out);
    EXPECT_EQ(again["cached"], true);
    EXPECT_EQ(again["seed"], 1);
    EXPECT_EQ(again["design_digest"], json["design_digest"]);
    return json;
  }

  /// Co-simulates what was emitted with a fault, which sed's `script` makes in `file`. It must be
  /// noticed, and the command that is told must show the same with a waveform. Returns the JSON.
  [[nodiscard]] nlohmann::json failing(const std::string& config, const std::string& file,
                                       const std::string& script) const {
    write_program("broken_verilator",
                  fmt::format("#!/bin/sh\nif [ -f {0} ]; then sed -i '{1}' {0}; fi\n"
                              "exec verilator_bin \"$@\"\n",
                              file, script));
    const std::string environment =
        fmt::format("WEFT_CACHE={} WEFT_VERILATOR={}", path("cache"), path("broken_verilator"));
    const Outcome outcome =
        run("cosim " + config + " --seed 7 --json r.json --junit r.xml", environment);
    EXPECT_EQ(outcome.status, 1) << outcome.out << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("FAIL: ")) << outcome.out;
    auto json = read_json("r.json");
    EXPECT_EQ(json["status"], "fail");
    expect_well_formed(path("r.xml"));
    EXPECT_NE(base::read_file(path("r.xml")).find("<failure"), std::string::npos);

    const std::string reproduce = json["reproduce"];
    EXPECT_NE(outcome.out.find(reproduce), std::string::npos) << outcome.out;
    EXPECT_TRUE(reproduce.starts_with("weft cosim " + config + " --seed 7 ")) << reproduce;
    const Outcome traced = run(reproduce.substr(5) + " --json -", environment);
    EXPECT_EQ(traced.status, 1) << traced.err;
    EXPECT_EQ(nlohmann::json::parse(traced.out)["first_mismatch"], json["first_mismatch"]);
    const auto is_waveform = [](const fs::directory_entry& entry) {
      return entry.path().extension() == ".fst" && entry.file_size() > 0;
    };
    EXPECT_TRUE(
        std::any_of(fs::directory_iterator(directory), fs::directory_iterator(), is_waveform));
    return json;
  }

  [[nodiscard]] nlohmann::json read_json(const std::string& name) const {
    return nlohmann::json::parse(base::read_file(path(name)));
  }
};

TEST_F(CosimCli, RunsArrays) {
  const auto pass = passing("a.yaml");
  EXPECT_EQ(pass["transactions"], 50);
  EXPECT_EQ(pass["mismatches"], 0);
  EXPECT_EQ(pass["cycle_mismatches"], 0);
  EXPECT_GT(pass["elements_compared"], 1000);
  EXPECT_GT(pass["rtl_cycles"], 1000);
  EXPECT_GT(pass["macs_per_second"], 0);

  const auto fail = failing("a.yaml", "tiny_array.v", "s/assign result_tag_o  *= /&~/");
  EXPECT_GT(fail["mismatches"], 0);
}

TEST_F(CosimCli, RunsSwitches) {
  write("s.yaml", tiny_switch);
  const auto pass = passing("s.yaml");
  EXPECT_EQ(pass["transactions"], 50);
  EXPECT_EQ(pass["mismatches"], 0);
  EXPECT_EQ(pass["cycle_mismatches"], 0);
  EXPECT_GT(pass["flits"], pass["packets"]);
  EXPECT_GT(pass["rtl_cycles"], 1000);

  // A credit is lost.
  (void)failing("s.yaml", "tiny_switch_output.v", "s/(credit_i)/(credit_i \\& ~departs)/");
}

TEST_F(CosimCli, RunsLinks) {
  write("l.yaml", tiny_link);
  const auto pass = passing("l.yaml");
  EXPECT_GT(pass["scenarios"], 10);
  EXPECT_GT(pass["flits"], 50);
  EXPECT_GT(pass["cycles"], pass["flits"]);
  EXPECT_GT(pass["bad_frames"], 0);
  EXPECT_GT(pass["replays"], 0);
  EXPECT_GT(pass["restarts"], 0);
  EXPECT_EQ(pass["coverage"]["reached"], pass["coverage"]["of"]);

  // What was sent again is delivered again.
  (void)failing("l.yaml", "tiny_link_order.v", "s/ & (ahead == 0)//");
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

TEST_F(CosimCli, TheUsersMistakesAreStatus2) {
  write("s.yaml", tiny_switch);
  write("l.yaml", tiny_link);
  write("narrow.yaml",
        "kind: tensor_array\nname: narrow\nrows: 2\ncols: 2\nstationary_format: int2\n"
        "moving_format: int2\n");
  for (const char* arguments :
       {"cosim nothing.yaml", "cosim a.yaml --seed -1", "cosim a.yaml --transactions many",
        "cosim a.yaml --json /nowhere/r.json", "cosim a.yaml --junit .",
        "cosim a.yaml --scenario 0 --trace /nowhere/w.fst", "cosim a.yaml --workload nothing",
        "cosim a.yaml --workload tiny --scenario 1", "cosim narrow.yaml --workload digits",
        "cosim s.yaml --workload digits", "cosim s.yaml --transactions 5 --scenario 100000",
        "cosim l.yaml --workload digits", "cosim l.yaml --json /nowhere/r.json",
        "cosim l.yaml --scenario 0 --trace /nowhere/w.fst"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(CosimCli, NumbersBeyondTheirLimitsAreToldAtOnce) {
  write("s.yaml", tiny_switch);
  const auto error = [&](const std::string& arguments) {
    const Outcome outcome = run("cosim " + arguments, "timeout 20");
    EXPECT_EQ(outcome.status, 2) << arguments << outcome.err;
    return outcome.err;
  };
  const std::string huge = "18446744073709551615";
  for (const std::string design : {"a.yaml", "s.yaml"}) {
    EXPECT_NE(error(design + " --scenario -1").find("--scenario: '-1' is not a whole number, 0.."),
              std::string::npos);
    EXPECT_NE(error(design + " --transactions " + huge).find("is not a whole number, 0..100000000"),
              std::string::npos);
    EXPECT_NE(error(design + " --scenario " + huge + " --transactions 1000000000000")
                  .find("--scenario: " + huge +
                        " is not among those of 1000000000000 "
                        "transactions; legal: 0.."),
              std::string::npos);
    // The last one that the error calls legal is.
    const std::string beyond = error(design + " --transactions 30 --scenario 1000000");
    const auto last = beyond.rfind("legal: 0..");
    ASSERT_NE(last, std::string::npos) << beyond;
    const int scenario = std::stoi(beyond.substr(last + 10));
    const std::string start = design + " --transactions 30 --scenario ";
    error(start + std::to_string(scenario + 1));
    EXPECT_EQ(run("cosim " + start + std::to_string(scenario)).status, 0);
  }
}

TEST_F(CosimCli, GoesOnWithoutACacheAndSaysSoOnce) {
  // Nobody makes folders there, not even root.
  const Outcome outcome = run("cosim a.yaml --transactions 5 --json -", "WEFT_CACHE=/proc/weft");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["status"], "pass");
  const std::string warning = "warning: the cache /proc/weft cannot be written (";
  const auto told = outcome.err.find(warning);
  ASSERT_NE(told, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning: ", told + 1), std::string::npos) << outcome.err;
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
