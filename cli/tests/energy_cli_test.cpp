// SPDX-License-Identifier: Apache-2.0
//
// `weft energy` with the real tools.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/tests/cli_fixture.h"
#include "synth/tests/mini_library.h"

namespace weft::cli {
namespace {

class EnergyCli : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    setenv("WEFT_CACHE", path("cache").c_str(), 1);
    write("a.yaml", tiny_array);
  }
  [[nodiscard]] nlohmann::json json(const std::string& name) const {
    return nlohmann::json::parse(base::read_file(path(name)));
  }
};

TEST_F(EnergyCli, MeasuresAWorkload) {
  const Outcome outcome = run("energy a.yaml --workload tiny --cycles 1500 --json r.json");
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  const auto result = json("r.json");
  const std::string activity = result["activity"];
  EXPECT_EQ(activity.find("measured: tiny with random operands, 1500 of "), 0U) << activity;
  EXPECT_NE(outcome.out.find(activity), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("not counted: wires"), std::string::npos) << outcome.out;
  EXPECT_EQ(result["measured"], true);
  EXPECT_EQ(result["cycles"], 1500);
  EXPECT_GT(result["workload_cycles"], 1500);
  EXPECT_EQ(result["voltage"], 1.8);
  // The parts make up the whole, and energy is power times time.
  const double cycle = result["energy_per_cycle_pj"];
  double parts = result["clock_net_pj"];
  for (const char* kind : {"registers", "logic"})
    for (const char* part : {"internal_pj", "switching_pj", "leakage_pj"})
      parts += result[kind][part].get<double>();
  EXPECT_NEAR(parts, cycle, 1e-9 * cycle);
  EXPECT_NEAR(result["power_mw"], cycle / 5, 1e-9 * cycle);  // pJ / 5 ns
  const auto& mac = result["operations"][0];
  EXPECT_EQ(mac["name"], "MAC");
  EXPECT_NEAR(mac["energy_pj"], cycle * 1500 / mac["count"].get<double>(), 1e-9 * cycle);

  // The same again, synthesis from the cache, is the same to the byte; other operands are not.
  ASSERT_EQ(run("energy a.yaml --workload tiny --cycles 1500 --json again.json").status, 0);
  EXPECT_EQ(base::read_file(path("r.json")), base::read_file(path("again.json")));
  ASSERT_EQ(run("energy a.yaml --workload tiny --cycles 1500 --seed 2 --json other.json").status,
            0);
  EXPECT_NE(json("other.json")["energy_per_cycle_pj"], result["energy_per_cycle_pj"]);
}

TEST_F(EnergyCli, TwoAtOnceInOneFolderDoNotDisturbEachOther) {
  // Two designs of one name.
  std::string wide(tiny_array);
  wide.replace(wide.find("cols: 3"), 7, "cols: 4");
  write("b.yaml", wide);
  const auto energy = [&](const char* config, const char* result) {
    return fmt::format("energy {}.yaml --workload tiny --cycles 1000 --json {}", config, result);
  };
  for (const char* config : {"a", "b"})
    ASSERT_EQ(run(energy(config, config) + " --out alone --cache alone_cache").status, 0);
  ASSERT_NE(base::read_file(path("a")), base::read_file(path("b")));
  for (const char* round : {"first", "cached"}) {
    const Outcome outcome =
        run(fmt::format("{} --out both & cd {}; {} {} --out both >/dev/null 2>&1; wait $!",
                        energy("a", "a2"), directory.string(), weft, energy("b", "b2")));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(base::read_file(path("a2")), base::read_file(path("a"))) << round;
    EXPECT_EQ(base::read_file(path("b2")), base::read_file(path("b"))) << round;
  }
}

TEST_F(EnergyCli, ClassifiesDigitsAndTellsTheEnergyOfOne) {
  const Outcome outcome = run("energy a.yaml --cycles 3000 --json r.json");
  ASSERT_EQ(outcome.status, 2) << outcome.out;  // 4-bit activations do not fit int4
  EXPECT_NE(outcome.err.find("the digits need"), std::string::npos) << outcome.err;
  write("d.yaml",
        "kind: tensor_array\nname: d\nrows: 2\ncols: 2\nstationary_format: int4\n"
        "moving_format: uint4\naccumulator_width: 14\n");
  const Outcome digits = run("energy d.yaml --cycles 3000 --json r.json");
  ASSERT_EQ(digits.status, 0) << digits.err;
  const auto result = json("r.json");
  EXPECT_EQ(result["activity"].get<std::string>().find("measured: digits, 1797 images, 3000 of "),
            0U);
  ASSERT_EQ(result["operations"].size(), 2U);
  const double macs = 64 * 64 + 64 * 10;  // of the network
  EXPECT_NEAR(result["operations"][1]["energy_pj"],
              macs * result["operations"][0]["energy_pj"].get<double>(), 1);
}

TEST_F(EnergyCli, AnAssumptionIsCalledOne) {
  const Outcome outcome = run("energy a.yaml --activity 0.1 --json r.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("assumed: 0.1 toggles a cycle on every net"), std::string::npos);
  auto low = json("r.json");
  EXPECT_EQ(low["measured"], false);
  EXPECT_TRUE(low["operations"].empty());
  // What moves is proportional to the activity; clock and leakage are not.
  ASSERT_EQ(run("energy a.yaml --activity 0.2 --json r.json").status, 0);
  auto high = json("r.json");
  EXPECT_NEAR(high["logic"]["switching_pj"], 2 * low["logic"]["switching_pj"].get<double>(), 1e-9);
  EXPECT_EQ(high["clock_net_pj"], low["clock_net_pj"]);
  EXPECT_EQ(high["logic"]["leakage_pj"], low["logic"]["leakage_pj"]);
}

TEST_F(EnergyCli, TheUsersMistakesAreStatus2) {
  write("s.yaml", "kind: switch\nname: s\nports: 2\n");
  write("l.yaml", "kind: link\nname: my_link\n");
  write("mini.lib", synth::mini_library());
  for (const auto& [arguments, expected] : std::vector<std::pair<std::string, std::string>>{
           {"nothing.yaml", "nothing.yaml"},
           {"a.yaml --activity 3", "--activity: 3 is outside 0..2"},
           {"a.yaml --activity 0.1 --workload digits", "excludes"},
           {"a.yaml --load 0.5", "an array has a --workload"},
           {"a.yaml --workload nothing", "nothing"},
           {"a.yaml --target mini.lib", "the library tells no supply voltage"},
           {"s.yaml --workload tiny", "a switch has --traffic"},
           {"s.yaml --load 0", "--load: 0 is not a load"},
           {"s.yaml --traffic unifrom", "uniform"},
           {"l.yaml --workload tiny", "a link has a --load"},
           {"l.yaml --packet 2", "a link has a --load"},
           {"l.yaml --load 2", "--load: 2 is not a load"},
           {"a.yaml --json /nowhere/r.json", "/nowhere"}}) {
    const Outcome outcome = run("energy " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(expected), std::string::npos) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

}  // namespace
}  // namespace weft::cli
