// SPDX-License-Identifier: Apache-2.0
//
// What sweeps are told of a design is what the commands tell.
#include <nlohmann/json.hpp>
#include <string>

#include "arch/config.h"
#include "cli/tests/cli_fixture.h"
#include "workbench/configurations.h"
#include "workbench/evaluate.h"

namespace weft::cli {
namespace {

using workbench::Depth;
using workbench::Figures;

constexpr std::string_view tiny_switch =
    "kind: switch\nname: tiny_switch\nports: 4\nflit_width: 16\nbuffer_depth: 4\n"
    "max_packet_flits: 2\n";

class FiguresCli : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    setenv("WEFT_CACHE", path("cache").c_str(), 1);
    write("array.yaml", tiny_array);
    write("switch.yaml", tiny_switch);
    write("link.yaml", "kind: link\nname: ll\nflit_width: 16\nlanes: 4\nlane_width: 8\n");
    conditions.cache = path("cache");
    conditions.transactions = 20;
    conditions.seed = 3;
  }

  [[nodiscard]] nlohmann::json told(const std::string& command) const {
    const Outcome outcome = run(command + " --json -");
    EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }

  [[nodiscard]] Figures figures(const std::string& config, Depth depth) const {
    return workbench::evaluate(arch::load_config(path(config)), depth, conditions, path("run"));
  }

  workbench::Conditions conditions;
};

void expect_same(const Figures& figures, const std::string& name, const nlohmann::json& told) {
  ASSERT_TRUE(told.is_number()) << name;
  EXPECT_NEAR(figures.at(name), told.get<double>(), 1e-9 * told.get<double>()) << name;
}

TEST_F(FiguresCli, OfEstimate) {
  conditions.workloads = {workbench::load_workload("tiny", [](const std::string&) {})};
  const Figures found = figures("array.yaml", Depth::estimate);
  const auto json = told("estimate array.yaml --workload tiny");
  for (const char* name : {"total_cycles", "utilization", "macs"})
    expect_same(found, name, json[name]);
  for (const std::string part : {"load", "fill", "compute", "drain"})
    expect_same(found, part + "_cycles", json["cycles"][part]);
  EXPECT_NEAR(found.at("edge_share"),
              json["mac_slots"]["edge"].get<double>() * json["utilization"].get<double>() /
                  json["macs"].get<double>(),
              1e-9);
}

TEST_F(FiguresCli, OfSwitchesUnderTraffic) {
  conditions.load = 0.3;
  conditions.packet = "2";
  const Figures found = figures("switch.yaml", Depth::model);
  const auto json =
      told("network switch.yaml --load 0.3 --packet 2 --seed 3 --seeds 1 --measure 400000");
  expect_same(found, "zero_load_latency", json["zero_load_latency"]);
  expect_same(found, "saturation_throughput", json["saturation_throughput"]);
  expect_same(found, "accepted_load", json["points"][0]["accepted"]);
  expect_same(found, "mean_latency", json["points"][0]["mean_latency"]);
  expect_same(found, "p99_latency", json["points"][0]["p99_latency"]);
}

TEST_F(FiguresCli, OfSynthesis) {
  for (const char* config : {"array.yaml", "switch.yaml", "link.yaml"}) {
    const Figures found = figures(config, Depth::synth);
    const auto json = told(std::string("synth ") + config);
    for (const char* name : {"area_um2", "critical_path_ns", "fmax_mhz", "cells", "registers"})
      expect_same(found, name, json[name]);
    if (found.contains("area_per_mac_um2"))
      expect_same(found, "area_per_mac_um2", json["area_per_mac_um2"]);
  }
}

TEST_F(FiguresCli, OfFpgas) {
  conditions.target = "ice40";
  const Figures found = figures("array.yaml", Depth::synth);
  const auto json = told("synth array.yaml --target ice40");
  expect_same(found, "luts", json["fpga"]["luts"]);
  expect_same(found, "registers", json["registers"]);
  EXPECT_FALSE(found.contains("area_um2"));
}

TEST_F(FiguresCli, OfEnergy) {
  conditions.energy = true;
  conditions.workloads = {workbench::load_workload("tiny", [](const std::string&) {})};
  const auto array = told("energy array.yaml --workload tiny --seed 3");
  const Figures of_array = figures("array.yaml", Depth::synth);
  expect_same(of_array, "energy_per_mac_pj", array["operations"][0]["energy_pj"]);
  conditions.workloads.clear();
  const auto of_traffic = told("energy switch.yaml --load 0.5 --seed 3");
  const Figures of_switch = figures("switch.yaml", Depth::synth);
  expect_same(of_switch, "energy_per_flit_pj", of_traffic["operations"][0]["energy_pj"]);
  for (const auto& [found, json] : {std::pair{of_array, array}, {of_switch, of_traffic}}) {
    expect_same(found, "energy_per_cycle_pj", json["energy_per_cycle_pj"]);
    expect_same(found, "power_mw", json["power_mw"]);
    expect_same(
        found, "leakage_mw",
        json["registers"]["leakage_mw"].get<double>() + json["logic"]["leakage_mw"].get<double>());
  }
}

TEST_F(FiguresCli, OfCosimulation) {
  struct Case {
    const char* config;
    const char* figure;
    const char* compared;  ///< the same in the command's JSON
    const char* cycles;
  };
  for (const Case& c : {Case{"array.yaml", "elements_compared", "elements_compared", "rtl_cycles"},
                        Case{"switch.yaml", "flits_compared", "flits", "rtl_cycles"},
                        Case{"link.yaml", "flits_compared", "flits", "cycles"}}) {
    const Figures found = figures(c.config, Depth::cosim);
    const auto json = told(std::string("cosim ") + c.config + " --transactions 20 --seed 3");
    EXPECT_EQ(found.at("mismatches"), 0) << c.config;
    expect_same(found, c.figure, json[c.compared]);
    expect_same(found, "cycles_compared", json[c.cycles]);
  }
}

}  // namespace
}  // namespace weft::cli
