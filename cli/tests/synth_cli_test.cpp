// SPDX-License-Identifier: Apache-2.0
//
// `weft synth` and the quickstart, with the real tools and without them.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/process.h"
#include "cli/tests/cli_fixture.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

class SynthCli : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    setenv("WEFT_CACHE", path("cache").c_str(), 1);
    write("a.yaml", tiny_array);
  }
};

TEST_F(SynthCli, MeasuresAConfiguration) {
  const Outcome outcome = run("synth a.yaml --clock 6ns --json r.json");
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("um2 per MAC (6 MACs)"), std::string::npos) << outcome.out;
  const auto json = nlohmann::json::parse(base::read_file(path("r.json")));
  EXPECT_EQ(json["target"], "osu018");
  EXPECT_EQ(json["macs"], 6);
  EXPECT_EQ(json["clock_ns"], 6.0);
  EXPECT_DOUBLE_EQ(json["area_per_mac_um2"], json["area_um2"].get<double>() / 6);
  EXPECT_GT(json["critical_path_ns"], 0);
  EXPECT_GT(json["cells"], json["registers"]);
  EXPECT_TRUE(json["tool_versions"].contains("yosys"));
  EXPECT_TRUE(fs::exists(path("tiny_array_synth/run.sh")));

  // The Verilog that was generated for it gives the same as a design of one's own.
  const Outcome again = run("synth a.yaml --clock 6ns --json -");
  EXPECT_EQ(nlohmann::json::parse(again.out)["cached"], true);
  const Outcome files =
      run("synth tiny_array_synth/rtl/*.v --top tiny_array --macs 6 --clock 6ns --out b --json -");
  ASSERT_EQ(files.status, 0) << files.err;
  EXPECT_EQ(nlohmann::json::parse(files.out)["area_um2"], json["area_um2"]);
}

TEST_F(SynthCli, MeasuresASwitchWhichHasNoMacs) {
  write("s.yaml",
        "kind: switch\nname: s\nports: 2\nflit_width: 16\nbuffer_depth: 1\n"
        "organisation: input_queued\nallocator: round_robin\n");
  const Outcome outcome = run("synth s.yaml --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["top"], "s");
  EXPECT_GT(json["area_um2"], 0);
  EXPECT_FALSE(json.contains("macs"));
  EXPECT_FALSE(json.contains("area_per_mac_um2"));
}

TEST_F(SynthCli, TheUsersMistakesAreStatus2) {
  write("a.v", "module a; endmodule\n");
  for (const char* arguments :
       {"synth nothing.yaml", "synth a.v", "synth a.yaml a.v", "synth a.yaml --top a",
        "synth a.yaml --macs 4", "synth a.yaml --clock 0", "synth a.yaml --target nothing.lib",
        "synth a.yaml --json /nowhere/r.json", "synth a.yaml --out a.v"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(SynthCli, AMissingToolIsStatus3) {
  fs::create_directory(path("bin"));
  const Outcome outcome = run("synth a.yaml", "PATH=" + path("bin"));
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.err.find("yosys is not installed"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace weft::cli
