// SPDX-License-Identifier: Apache-2.0
//
// The packet model against theory, and against the model that is exact in every cycle.
#include "verif/network/packet_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "arch/config.h"
#include "arch/network/switch_timing.h"
#include "base/error.h"
#include "systemc_models/switch/cycle_switch.h"
#include "verif/network/traffic_run.h"
#include "verif/traffic/traffic_spec.h"

namespace weft::verif {
namespace {

arch::Switch design_of(const std::string& parameters) {
  return std::get<arch::Switch>(
      arch::parse_config("kind: switch\nname: s\n" + parameters, "test").design);
}

TrafficSpec specification(std::string_view pattern, double load, std::string_view flits = "1") {
  TrafficSpec spec = parse_traffic(pattern);
  spec.load = load;
  spec.packet_flits = parse_distribution(flits, "packet length", 1, 1000);
  return spec;
}

RunResult packets(const arch::Switch& design, const TrafficSpec& spec, const RunPhases& phases = {},
                  bool single_fifo = false) {
  return run_packets(design, *make_traffic(spec, design.ports, 5), phases, single_fifo);
}

RunResult flits(const arch::Switch& design, const TrafficSpec& spec, const RunPhases& phases = {},
                bool single_fifo = false) {
  models::CycleSwitch simulation(design);
  simulation.reset();
  EndpointOptions options;
  options.single_fifo = single_fifo;
  options.interleave = false;
  return run_traffic(simulation, design, *make_traffic(spec, design.ports, 5), phases, options);
}

double accepted(const RunResult& run) {
  return static_cast<double>(run.total_accepted()) /
         static_cast<double>(run.measurement * run.offered.size());
}

TEST(PacketRun, AnIdleSwitchHasTheLatencyOfTheContract) {
  for (const char* parameters :
       {"pipeline: single_cycle\n", "pipeline: 2\n", "pipeline: 3\n", "pipeline: 4\n",
        "pipeline: 3\nlookahead_routing: true\n", "flow_control: ready_valid\n",
        "organisation: input_queued\n", "organisation: output_queued\nallocator: round_robin\n",
        "organisation: central_buffer\nallocator: matrix\npipeline: 4\n",
        "organisation: crossbar\nflow_control: ready_valid\npipeline: 2\n"}) {
    const arch::Switch design = design_of(std::string(parameters) + "ports: 4\n");
    // A permutation, and packets far apart: nothing is in the way.
    const RunResult run = packets(design, specification("neighbour", 0.02, "5"));
    const auto expected = static_cast<std::uint64_t>(arch::SwitchTiming(design).latency) + 5 - 1;
    EXPECT_EQ(run.latency.percentile(0.5), expected) << parameters;
    EXPECT_GT(run.latency.count(), 100U);
  }
}

TEST(PacketRun, NoBubblesAtFullLoad) {
  for (const char* lengths : {"1", "2", "3", "8", "1:0.5,7:0.5"}) {
    for (const char* parameters :
         {"pipeline: single_cycle\n", "pipeline: 4\nbuffer_depth: 16\n",
          "organisation: output_queued\nallocator: round_robin\n", "flow_control: ready_valid\n"}) {
      const arch::Switch design = design_of(std::string(parameters) + "ports: 5\n");
      const TrafficSpec spec = specification("tornado:burst=1000", 1, lengths);
      EXPECT_NEAR(accepted(packets(design, spec)), 1, 0.001) << parameters << lengths;
    }
  }
}

// An output queue of a switch with N ports is served every cycle and sees N Bernoulli streams of
// p/N each: the mean wait is (N-1)/N * p / (2 * (1-p)).
TEST(PacketRun, OutputQueuesWaitAsTheoryKnows) {
  const arch::Switch design = design_of(
      "ports: 16\norganisation: output_queued\nallocator: round_robin\nbuffer_depth: 256\n");
  for (const double load : {0.3, 0.6, 0.8, 0.9}) {
    const RunResult run =
        packets(design, specification("uniform", load), {.warmup = 5000, .measurement = 200000});
    const double wait = 15.0 / 16 * load / (2 * (1 - load));
    EXPECT_NEAR(run.latency.mean() - 2, wait, 0.04 * wait + 0.002) << load;
  }
}

// Head-of-line blocking: 0.75 for two ports, towards 2 - sqrt(2) for many.
TEST(PacketRun, SingleFifosSaturateAsTheoryKnows) {
  const RunPhases phases{.warmup = 5000, .measurement = 100000};
  const auto saturation = [&](int ports) {
    const arch::Switch design = design_of(
        "organisation: input_queued\nbuffer_depth: 64\nports: " + std::to_string(ports) + "\n");
    return accepted(packets(design, specification("uniform", 1), phases));
  };
  EXPECT_NEAR(saturation(2), 0.75, 0.01);
  EXPECT_NEAR(saturation(64), 2 - std::sqrt(2.0), 0.015);
}

TEST(PacketRun, IslipReachesFullThroughput) {
  const arch::Switch design = design_of("ports: 16\nbuffer_depth: 64\n");
  EXPECT_GT(accepted(packets(design, specification("uniform", 1),
                             {.warmup = 60000, .measurement = 60000})),
            0.99);
}

struct Case {
  const char* parameters;
  const char* traffic;
  double load;
  const char* flits;
  bool single_fifo = false;
};

// Where packets are not interrupted the two agree in every packet: mean, percentile and counts are
// equal.
TEST(PacketRun, AgreesWithTheCycleModel) {
  const Case cases[] = {
      {"allocator: islip\n", "uniform", 0.7, "1"},
      {"allocator: islip\nislip_iterations: 3\n", "uniform", 0.6, "1:0.5,5:0.5"},
      {"allocator: wavefront\nports: 7\n", "diagonal", 0.8, "4"},
      {"allocator: round_robin\n", "uniform", 0.6, "3"},
      {"allocator: round_robin\nseparable: output_first\n", "hotspot:share=0.1", 0.3, "2"},
      {"allocator: matrix\nports: 5\n", "uniform", 0.6, "1:0.3,8:0.7"},
      {"organisation: input_queued\n", "uniform", 0.4, "6"},
      {"organisation: input_queued\n", "uniform", 0.4, "2", true},
      {"organisation: input_queued\nvirtual_channels: 3\n", "uniform", 0.5, "2"},
      {"organisation: output_queued\nallocator: round_robin\n", "bursty:burst=4", 0.5, "4"},
      {"organisation: central_buffer\nallocator: matrix\n", "uniform", 0.6, "5"},
      {"organisation: crossbar\nflow_control: ready_valid\n", "uniform", 0.3, "4"},
      {"virtual_channels: 4\n", "uniform", 0.6, "4"},
      {"virtual_channels: 4\ntraffic_classes: 4\n", "uniform", 0.6, "1"},
      {"virtual_channels: 2\ntraffic_classes: 2\nclass_priority: weighted\nclass_weights: [3, 1]\n",
       "uniform", 0.7, "1"},
      {"pipeline: 4\nbuffer_depth: 16\n", "uniform", 0.6, "8"},
      {"switching: virtual_cut_through\n", "uniform", 0.3, "4"},
      {"switching: store_and_forward\nbuffer_depth: 32\n", "uniform", 0.5, "4"},
      {"buffer_depth: 4\n", "uniform", 0.5, "8"},
      {"buffer_depth: 1\ncredits: 8\n", "uniform", 0.2, "1"},
      {"flow_control: ready_valid\nbuffer_depth: 64\n", "uniform", 0.5, "4"},
      {"credits: 2\n", "uniform", 0.3, "1"},
      {"ports: 2\n", "uniform", 0.8, "1"},
      {"ports: 72\nbuffer_depth: 16\n", "uniform", 0.5, "4"},
      {"", "request_response:response=4", 0.3, "1"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.parameters) + c.traffic + " load " + std::to_string(c.load) +
                 " flits " + c.flits);
    const arch::Switch design = design_of(c.parameters);
    TrafficSpec spec = specification(c.traffic, c.load, c.flits);
    const int classes = design.traffic_classes;
    spec.classes.clear();
    for (int i = 0; i < classes; ++i) spec.classes.push_back({i, 1.0 / classes});
    const RunPhases phases{.warmup = 300, .measurement = 3000};
    const RunResult by_flits = flits(design, spec, phases, c.single_fifo);
    const RunResult by_packets = packets(design, spec, phases, c.single_fifo);
    EXPECT_EQ(by_flits.violation, "");
    EXPECT_GT(by_flits.latency.count(), 100U);
    EXPECT_EQ(by_packets.latency.count(), by_flits.latency.count());
    EXPECT_DOUBLE_EQ(by_packets.latency.mean(), by_flits.latency.mean());
    EXPECT_EQ(by_packets.latency.percentile(0.99), by_flits.latency.percentile(0.99));
    EXPECT_EQ(by_packets.accepted, by_flits.accepted);
    EXPECT_EQ(by_packets.received, by_flits.received);
  }
}

// Credits that are fewer than their round trip break packets up, which the model only approximates.
TEST(PacketRun, IsCloseWhereFlitsArriveWithGaps) {
  const Case cases[] = {{"credits: 2\n", "uniform", 0.3, "8"},
                        {"buffer_depth: 2\ncredits: 8\n", "uniform", 0.3, "8"},
                        {"flow_control: ready_valid\nbuffer_depth: 4\n", "uniform", 0.5, "4"}};
  for (const Case& c : cases) {
    const arch::Switch design = design_of(c.parameters);
    const TrafficSpec spec = specification(c.traffic, c.load, c.flits);
    const RunPhases phases{.warmup = 2000, .measurement = 20000};
    const RunResult by_flits = flits(design, spec, phases);
    const RunResult by_packets = packets(design, spec, phases);
    EXPECT_NEAR(by_packets.latency.mean() / by_flits.latency.mean(), 1, 0.06) << c.parameters;
    EXPECT_NEAR(accepted(by_packets) / accepted(by_flits), 1, 0.02) << c.parameters;
  }
}

TEST(PacketRun, LongPacketsAndLongGaps) {
  const arch::Switch design =
      design_of("ports: 4\nmax_packet_flits: 500\nbuffer_depth: 16\nallocator: wavefront\n");
  const TrafficSpec spec = specification("uniform", 0.4, "500");
  const RunPhases phases{.warmup = 5000, .measurement = 60000};
  const RunResult by_flits = flits(design, spec, phases);
  const RunResult by_packets = packets(design, spec, phases);
  EXPECT_EQ(by_packets.latency.count(), by_flits.latency.count());
  EXPECT_DOUBLE_EQ(by_packets.latency.mean(), by_flits.latency.mean());
}

TEST(PacketRun, RefusesWhatItDoesNotCover) {
  const arch::Switch design = design_of("ports: 4\n");
  const auto problem = [](const arch::Switch& d, const TrafficSpec& spec, int nodes) {
    try {
      (void)run_packets(d, *make_traffic(spec, nodes, 1), {}, false);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(problem(design, specification("uniform", 0.5), 5),
            "traffic between 5 nodes does not fit s, which has 4 ports");
  EXPECT_EQ(problem(design, specification("uniform", 0.5, "9"), 4),
            "packets of 9 flits do not fit s, whose max_packet_flits is 8");
  EXPECT_EQ(problem(design_of("ports: 4\nmulticast: true\n"), specification("uniform", 0.5), 4),
            "the packet model does not cover multicast and in_network_reduction");
  EXPECT_EQ(problem(design_of("ports: 4\ndestinations: 4\nroutes: [0, 1, 2, 0]\n"),
                    specification("uniform", 0.5), 4),
            "s: traffic goes to port 3, to which no route leads");
}

}  // namespace
}  // namespace weft::verif
