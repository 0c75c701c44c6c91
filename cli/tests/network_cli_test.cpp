// SPDX-License-Identifier: Apache-2.0
//
// `weft network` from the command line to its exit status, with the models.
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "base/process.h"
#include "cli/tests/cli_fixture.h"

namespace weft::cli {
namespace {

class NetworkCli : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("s.yaml", "kind: switch\nname: four\nports: 4\nbuffer_depth: 32\n");
    write("fifo.yaml",
          "kind: switch\nname: fifo\nports: 4\nbuffer_depth: 32\norganisation: input_queued\n");
  }

  [[nodiscard]] nlohmann::json measure(const std::string& arguments) const {
    const Outcome outcome = run("network " + arguments + " --json -");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }

  void expect_problem(const std::string& arguments, const std::string& problem) const {
    const Outcome outcome = run("network " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_NE(outcome.err.find(problem), std::string::npos) << arguments << "\n" << outcome.err;
  }
};

TEST_F(NetworkCli, MeasuresALoad) {
  const auto json = measure("s.yaml --load 0.3 --packet 4 --seeds 4 --model packet");
  EXPECT_EQ(json["design"], "four");
  EXPECT_EQ(json["seeds"], (std::vector<int>{1, 2, 3, 4}));
  EXPECT_NEAR(json["zero_load_latency"], 2 + 3, 0.1);  // LATENCY and three more flits
  EXPECT_GT(json["saturation_throughput"], 0.9);
  ASSERT_EQ(json["points"].size(), 1U);
  const auto point = json["points"][0];
  EXPECT_NEAR(point["offered"], 0.3, 0.01);
  EXPECT_NEAR(point["accepted"], 0.3, 0.01);
  EXPECT_GT(point["mean_latency"], json["zero_load_latency"]);
  EXPECT_GT(point["mean_latency_margin"], 0);
  EXPECT_LT(point["mean_latency_margin"], 0.5);
  EXPECT_GT(point["p99_latency"], point["mean_latency"]);
  EXPECT_GT(point["min_node_accepted"], 0.27);
  EXPECT_EQ(point["saturated"], false);
}

TEST_F(NetworkCli, TheModelsAgree) {
  const std::string arguments = "s.yaml --load 0.6 --packet 1:0.5,5:0.5 --seeds 2 --measure 5000";
  auto cycle = measure(arguments + " --model cycle");
  auto packet = measure(arguments + " --model packet");
  for (auto* json : {&cycle, &packet}) {
    for (auto& point : (*json)["points"]) {
      point.erase("cycles");  // the end of draining
      point.erase("cpu_seconds");
    }
  }
  EXPECT_EQ(cycle["points"], packet["points"]);
  EXPECT_EQ(cycle["zero_load_latency"], packet["zero_load_latency"]);
}

// Head-of-line blocking saturates four ports at 0.6553 (Hui and Arthurs).
TEST_F(NetworkCli, SweepsToTheKnee) {
  const auto json = measure("fifo.yaml --model packet --csv c.csv --svg c.svg");
  EXPECT_NEAR(json["saturation_throughput"], 0.6553, 0.01);
  EXPECT_NEAR(json["saturation_load"], 0.65, 0.02);
  double last = 0;
  for (const auto& point : json["points"]) {
    EXPECT_GT(point["load"], last);
    last = point["load"];
    EXPECT_EQ(point["saturated"].get<bool>(), last > json["saturation_load"].get<double>());
    EXPECT_EQ(point["mean_latency"].is_null(), point["saturated"].get<bool>());
  }
  EXPECT_EQ(last, 1);

  std::istringstream csv(base::read_file(path("c.csv")));
  std::string line;
  std::getline(csv, line);
  EXPECT_TRUE(line.starts_with("load,offered,accepted,mean_latency,")) << line;
  std::size_t lines = 0;
  while (std::getline(csv, line)) ++lines;
  EXPECT_EQ(lines, json["points"].size());

  const auto xml = base::run_process(
      {.argv = {"python3", "-c", "import sys, xml.dom.minidom as d; d.parse(sys.argv[1])",
                path("c.svg")}});
  EXPECT_TRUE(xml.ok()) << xml.output_tail;
  const std::string svg = base::read_file(path("c.svg"));
  for (const char* label : {"offered load (flits/node/cycle)", "latency (cycles)", "mean",
                            "99th percentile", "saturated above 0.6", "fifo: packet model"}) {
    EXPECT_NE(svg.find(label), std::string::npos) << label;
  }
}

TEST_F(NetworkCli, OneFifoASourceBlocks) {
  const std::string arguments = "s.yaml --model packet --load 1";
  const double queues = measure(arguments)["saturation_throughput"];
  const double fifo = measure(arguments + " --source fifo")["saturation_throughput"];
  EXPECT_GT(queues, 0.97);
  EXPECT_LE(fifo, queues);
}

TEST_F(NetworkCli, SaysWhatItSees) {
  const Outcome outcome = run("network fifo.yaml --model packet --load 0.9");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("saturated"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("measuring fifo"), std::string::npos);

  const Outcome short_drain =
      run("network s.yaml --model packet --load 0.9 --drain 0 --seeds 1 --measure 2000");
  EXPECT_NE(short_drain.out.find("packets had not come out 0 cycles after"), std::string::npos)
      << short_drain.out;
}

TEST_F(NetworkCli, PlaysTraces) {
  write("t.csv", "0,0,1,4\n0,1,1,1\n50,2,3,1\n");
  const auto json = measure("s.yaml --traffic trace:t.csv");
  EXPECT_TRUE(json["zero_load_latency"].is_null());
  ASSERT_EQ(json["points"].size(), 1U);
  EXPECT_EQ(json["points"][0]["outcome"], "stable");
  // Input 0 wins output 1: 5 cycles for its four flits, then 2 + 4 for the other, and 2.
  EXPECT_NEAR(json["points"][0]["mean_latency"], (5 + 6 + 2) / 3.0, 1e-9);
}

TEST_F(NetworkCli, TheUsersMistakesAreStatus2) {
  expect_problem("nothing.yaml", "neither a file nor a preset");
  expect_problem("quickstart", "quickstart: kind tensor_array: weft network measures switches");
  expect_problem("s.yaml --model cylce", "did you mean 'cycle'?");
  expect_problem("s.yaml --traffic unifrom", "did you mean 'uniform'?");
  expect_problem("s.yaml --traffic transpose:burts=2", "did you mean 'burst'?");
  expect_problem("s.yaml --traffic hotspot:node=4", "node = 4 is outside 0..3");
  expect_problem("s.yaml --load 1.5", "--load: 1.5 is not a load");
  expect_problem("s.yaml --load 0", "--load: 0 is not a load");
  expect_problem("s.yaml --load nan", "--load: nan is not a load");
  expect_problem("s.yaml --load 0.5 --sweep-load", "--sweep-load");
  expect_problem("s.yaml --packet 9", "--packet: '9' is not a whole number in 1..8");
  expect_problem("s.yaml --packet 1:0.5", "add up to 0.5 instead of 1");
  expect_problem("s.yaml --classes 1", "--classes: '1' is not a whole number in 0..0");
  expect_problem("s.yaml --seeds 0", "--seeds: 0 is outside 1..1000");
  expect_problem("s.yaml --measure 10", "--measure: 10 is outside 100..");
  expect_problem("s.yaml --source lifo", "--source: 'lifo' is not one of per_queue, fifo");
  expect_problem("s.yaml --svg /nowhere/c.svg", "/nowhere/c.svg");
  expect_problem("s.yaml --traffic request_response --packet 2", "brings its own packet lengths");
  expect_problem("s.yaml --traffic request_response:response=9", "packets of 9 flits do not fit");
  write("t.csv", "0,0,1,4\n0,7,1,1\n");
  expect_problem("s.yaml --traffic trace:t.csv", "t.csv:2: source: '7' is not a whole number");
  write("t.csv", "0,0,1,4\n\n3,0,1,9\n3,0,2,1,1\n");
  expect_problem("s.yaml --traffic trace:t.csv",
                 "t.csv:3: flits: '9' is not a whole number in 1..8");
  expect_problem("s.yaml --traffic trace:t.csv",
                 "t.csv:4: class: '1' is not a whole number in 0..0");
  expect_problem("s.yaml --traffic trace:t.csv --load 0.1", "has the load that it has");
  write("m.yaml", "kind: switch\nname: m\nports: 4\nmulticast: true\n");
  expect_problem("m.yaml --model packet", "does not cover multicast");
}

}  // namespace
}  // namespace weft::cli
