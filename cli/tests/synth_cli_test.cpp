// SPDX-License-Identifier: Apache-2.0
//
// `weft synth` and the quickstart, with the real tools and without them.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

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
  // It is one block, so flat synthesis is the same run.
  const Outcome again = run("synth a.yaml --flat --clock 6ns --json -");
  EXPECT_EQ(nlohmann::json::parse(again.out)["cached"], true);
  const Outcome files =
      run("synth tiny_array_synth/rtl/*.v --top tiny_array --macs 6 --clock 6ns --out b --json -");
  ASSERT_EQ(files.status, 0) << files.err;
  EXPECT_EQ(nlohmann::json::parse(files.out)["area_um2"], json["area_um2"]);
}

TEST_F(SynthCli, ComposesAConfigurationFromItsBlocks) {
  write("c.yaml",
        "kind: switch\nname: c\nports: 5\nflit_width: 20\nbuffer_depth: 2\nmax_packet_flits: 2\n");
  const Outcome outcome =
      run("synth c.yaml --compare --block-gates 200 --memories registers --treemap t.svg --json "
          "r.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(base::read_file(path("r.json")));
  const auto& compared = json["comparison"];
  // Only flat synthesis can remove registers that are constant or double across borders.
  EXPECT_GE(compared["registers"]["composed"], compared["registers"]["flat"]);
  EXPECT_NEAR(compared["registers"]["difference_percent"], 0, 2);
  EXPECT_NEAR(compared["area_um2"]["difference_percent"], 0, 10);
  EXPECT_GT(json["critical_path_ns"], 0);
  EXPECT_NE(outcome.out.find("c_input"), std::string::npos) << outcome.out;
  EXPECT_NE(base::read_file(path("t.svg")).find("c_input"), std::string::npos);

  const Outcome again =
      run("synth c.yaml --composed --block-gates 200 --memories registers --json -");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)["area_um2"], json["area_um2"]);
}

/// Replaces what tells of time and place in a report.
std::string without_times(std::string text, const std::string& directory) {
  for (auto at = text.find(directory); at != std::string::npos; at = text.find(directory))
    text.replace(at, directory.size(), "HERE");
  static const std::regex times(
      R"x((\d+\.\d CPU s, \d+ MiB)|("(cpu_seconds|peak_rss_mib)": [0-9.e+]+))x");
  return std::regex_replace(text, times, "TIME");
}

TEST_F(SynthCli, AConfigurationGivesTheSameReportElsewhere) {
  const std::string array =
      "kind: tensor_array\nname: four\nrows: 4\ncols: 4\nstationary_format: int3\n"
      "moving_format: int3\naccumulator_width: 12\n";
  for (const std::string& how :
       std::vector<std::string>{"--largest-sample 2 --memories registers", "--flat"}) {
    std::vector<std::string> texts;
    std::vector<std::string> reports;
    const std::pair<const char*, const char*> places[] = {
        {"here", "LC_ALL=C HOME=/nowhere"},
        {"else where", "LC_ALL=C.utf8 TZ=Asia/Tokyo TMPDIR=.."}};
    int jobs = 1;
    for (const auto& [name, environment] : places) {
      const fs::path place = path(name);
      fs::remove_all(place);
      fs::create_directories(place);
      base::write_file_atomic(place / "four.yaml", array);
      const Outcome outcome = run(
          fmt::format("synth '{0}/four.yaml' {1} --jobs {2} --cache '{0}/cache' --out '{0}/out' "
                      "--json '{0}/r.json'",
                      name, how, jobs++),
          environment);
      ASSERT_EQ(outcome.status, 0) << outcome.err;
      texts.push_back(without_times(outcome.out, fs::canonical(place).string()));
      const std::string report = base::read_file(place / "r.json");
      EXPECT_EQ(nlohmann::json::parse(report)["cached"], false);
      reports.push_back(without_times(report, fs::canonical(place).string()));
    }
    EXPECT_EQ(texts[0], texts[1]);
    EXPECT_EQ(reports[0], reports[1]);
  }
}

TEST_F(SynthCli, ComposesOnlyWhatItKnowsTheBlocksOf) {
  write("x.v", "module x(input a, output y); assign y = ~a; endmodule\n");
  const Outcome verilog = run("synth x.v --top x --composed");
  EXPECT_EQ(verilog.status, 2);
  EXPECT_NE(verilog.err.find("of Verilog files"), std::string::npos) << verilog.err;
  EXPECT_EQ(run("synth a.yaml --composed --target ice40").status, 2);
  EXPECT_EQ(run("synth a.yaml --composed --fastest").status, 2);
  EXPECT_EQ(run("synth a.yaml --flat --treemap t.svg").status, 2);
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

constexpr const char* adder =
    "module adder #(parameter W = 4) (input [W-1:0] a_i, b_i, output [W-1:0] y_o);\n"
    "  assign y_o = a_i + b_i;\nendmodule\n";

TEST_F(SynthCli, AClockThatMustBeMetIsStatus1IfItIsNot) {
  write("adder.v", adder);
  const Outcome missed =
      run("synth adder.v --top adder --parameter W=8 --clock 50ps --require-timing --json -");
  EXPECT_EQ(missed.status, 1) << missed.err;
  const auto json = nlohmann::json::parse(missed.out);
  EXPECT_EQ(json["meets_timing"], false);
  EXPECT_EQ(json["parameters"]["W"], "8");
  EXPECT_EQ(run("synth adder.v --top adder --clock 50ns --require-timing").status, 0);
  EXPECT_EQ(run("synth adder.v --top adder --clock 50ps").status, 0);
}

TEST_F(SynthCli, SearchesTheFastestClock) {
  write("adder.v", adder);
  const Outcome outcome =
      run("synth adder.v --top adder --fastest --tolerance 0.2 --recipe area --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["meets_timing"], true);
  EXPECT_EQ(json["recipe"], "area");
  EXPECT_GT(json["search"]["probes"].size(), 2U);
  EXPECT_LE(json["search"]["missed_ns"], json["clock_ns"]);
}

TEST_F(SynthCli, DrawsTheFrontier) {
  write("adder.v", adder);
  const Outcome outcome =
      run("synth adder.v --top adder --frontier 0 --csv f.csv --svg f.svg --json f.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("area against delay"), std::string::npos) << outcome.out;
  const auto json = nlohmann::json::parse(base::read_file(path("f.json")));
  EXPECT_EQ(json["points"].size(), 6U);  // three recipes, fastest and relaxed
  EXPECT_TRUE(base::read_file(path("f.svg")).starts_with("<svg"));
  EXPECT_TRUE(base::read_file(path("f.csv")).starts_with("recipe,"));
}

TEST_F(SynthCli, ProjectsToOtherTechnology) {
  write("adder.v", adder);
  const Outcome outcome = run("synth adder.v --top adder --project-to 45nm --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_DOUBLE_EQ(json["projection"]["area_um2"], 0.053 * json["area_um2"].get<double>());
  EXPECT_EQ(json["projection"]["from_nm"], 180);
  const Outcome people = run("synth adder.v --top adder --project-to 45nm");
  EXPECT_NE(people.out.find("projection, not a measurement"), std::string::npos) << people.out;
}

TEST_F(SynthCli, MapsToAnFpga) {
  const Outcome outcome = run("synth a.yaml --target ice40 --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_GT(json["fpga"]["luts"], 0);
  EXPECT_EQ(json["fpga"]["flip_flops"], json["registers"]);
  EXPECT_EQ(json["macs"], 6);
  for (const char* absent : {"area_um2", "critical_path_ns", "load_ff", "recipe"})
    EXPECT_FALSE(json.contains(absent)) << absent;
}

TEST_F(SynthCli, ListsTheRecipes) {
  const Outcome outcome = run("synth --list-recipes");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("## balanced"), std::string::npos);
}

TEST_F(SynthCli, TheUsersMistakesAreStatus2) {
  write("a.v", "module a; endmodule\n");
  for (const char* arguments : {"synth nothing.yaml",
                                "synth a.v",
                                "synth a.yaml a.v",
                                "synth a.yaml --top a",
                                "synth a.yaml --macs 4",
                                "synth a.yaml --clock 0",
                                "synth a.yaml --target nothing.lib",
                                "synth a.yaml --json /nowhere/r.json",
                                "synth a.yaml --out a.v",
                                "synth",
                                "synth a.yaml --recipe quick",
                                "synth a.yaml --script gone.ys",
                                "synth a.yaml --csv f.csv",
                                "synth a.yaml --parameter W=2",
                                "synth a.v --top a --parameter W",
                                "synth a.yaml --timeout soon",
                                "synth a.yaml --tolerance 0.1",
                                "synth a.yaml --fastest --tolerance 0",
                                "synth a.yaml --fastest --frontier",
                                "synth a.yaml --frontier 1000",
                                "synth a.yaml --place-and-route",
                                "synth a.yaml --target ecp5 --place-and-route",
                                "synth a.yaml --target ecp5 --fastest",
                                "synth a.yaml --target ice40 --require-timing",
                                "synth a.yaml --node 130nm",
                                "synth a.yaml --target ecp5 --project-to 7nm",
                                "synth a.yaml --project-to 8nm",
                                "synth a.yaml --target osu035 --project-to 7nm"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(SynthCli, AToolThatHangsIsStatus3) {
  // Any name but `yosys` is asked for its version by --version.
  write_program("slow", "#!/bin/sh\n[ \"$1\" = --version ] || sleep 60\necho 'Yosys 0.99'\n");
  const Outcome outcome = run("synth a.yaml --yosys ./slow --timeout 1s");
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("it ran longer than 1 s"), std::string::npos) << outcome.err;
}

TEST_F(SynthCli, AMissingToolIsStatus3) {
  fs::create_directory(path("bin"));
  const Outcome outcome = run("synth a.yaml", "PATH=" + path("bin"));
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.err.find("yosys is not installed"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace weft::cli
