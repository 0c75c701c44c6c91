// SPDX-License-Identifier: Apache-2.0
// The cycle-exact model equals the transcription of the contract in every cycle and bit, for random
// switches under random traffic; what it tells of its state adds up at all times.
#include "systemc_models/switch/cycle_switch.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "arch/config.h"
#include "systemc_models/tests/switch_traffic.h"
#include "systemc_models/tests/switch_transcription.h"

namespace weft::models {
namespace {

using testing::SwitchLoad;
using testing::SwitchTraffic;
using testing::SwitchTranscription;

// The first difference of what stands on the pins, or nothing.
std::string difference(const arch::Switch& design, const arch::SwitchOutputs& model,
                       const arch::SwitchOutputs& truth) {
  const arch::PinLayout layout(design);
  if (model.queue != truth.queue) return "credits or ready";
  for (int o = 0; o < design.ports; ++o) {
    const std::string port = "output " + std::to_string(o) + ": ";
    if (model.valid[o] != truth.valid[o]) return port + "valid";
    if (truth.valid[o] == 0) continue;
    if (model.head[o] != truth.head[o]) return port + "head";
    if (model.tail[o] != truth.tail[o]) return port + "tail";
    if (model.vc[o] != truth.vc[o]) return port + "VC";
    for (int w = 0; w < layout.flit_words; ++w) {
      const int k = o * layout.flit_words + w;
      if (model.flit[k] != truth.flit[k]) return port + "flit";
    }
  }
  return {};
}

struct Experiment {
  arch::Switch design;
  arch::Position position;
  SwitchLoad load;
  std::uint64_t seed = 0;
};

Experiment any_experiment(std::mt19937_64& random, arch::IntRange ports,
                          arch::IntRange flit_width) {
  Experiment e;
  e.design = arch::random_switch(random, {{"ports", ports},
                                          {"flit_width", flit_width},
                                          {"buffer_depth", arch::IntRange{1, 8}},
                                          {"max_packet_flits", arch::IntRange{1, 8}},
                                          {"credits", arch::IntRange{1, 9}}});
  e.position = {static_cast<int>(random() % static_cast<unsigned>(e.design.mesh_columns)),
                static_cast<int>(random() % static_cast<unsigned>(e.design.mesh_rows))};
  const double chances[] = {0.05, 0.3, 0.8, 1.0};
  e.load = {chances[random() % 4], chances[1 + random() % 3], chances[1 + random() % 3], 0.3,
            e.design.max_packet_flits};
  e.seed = random();
  return e;
}

// Runs both; false at the first difference.
::testing::AssertionResult equal(const Experiment& e, int cycles) {
  CycleSwitch model(e.design);
  SwitchTranscription truth(e.design);
  model.set_position(e.position.x, e.position.y);
  truth.set_position(e.position.x, e.position.y);
  SwitchTraffic traffic(e.design, e.position, e.load, e.seed);
  std::uint64_t flits = 0;
  traffic.on_received = [&](auto...) { ++flits; };
  for (int t = 0; t < cycles; ++t) {
    const arch::SwitchInputs& inputs = traffic.drive();
    const arch::SwitchOutputs& outputs = model.cycle(inputs);
    const std::string found = difference(e.design, outputs, truth.cycle(inputs));
    if (!found.empty()) return ::testing::AssertionFailure() << "cycle " << t << ": " << found;
    traffic.observe(outputs);
  }
  if (flits == 0) return ::testing::AssertionFailure() << "nothing went through";
  return ::testing::AssertionSuccess();
}

void compare(int experiments, int cycles, arch::IntRange ports, arch::IntRange flit_width) {
  const std::uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  for (int k = 0; k < experiments; ++k) {
    const Experiment e = any_experiment(random, ports, flit_width);
    ASSERT_TRUE(equal(e, cycles)) << "seed " << seed << ", experiment " << k << "\n"
                                  << arch::canonical_form(arch::config_of(e.design));
  }
}

TEST(CycleSwitch, EqualsTheContractInEveryCycle) { compare(300, 400, {2, 9}, {16, 200}); }

// Sets of ports in one word, and in two.
TEST(CycleSwitch, EqualsTheContractWithManyPorts) { compare(12, 60, {50, 128}, {256, 512}); }

TEST(CycleSwitch, StartsAgainAfterReset) {
  const std::uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  for (int k = 0; k < 40; ++k) {
    const Experiment e = any_experiment(random, {2, 9}, {16, 200});
    CycleSwitch used(e.design);
    used.set_position(e.position.x, e.position.y);
    SwitchTraffic before(e.design, e.position, e.load, e.seed + 1);
    for (int t = 0; t < 100; ++t) before.observe(used.cycle(before.drive()));
    used.reset();
    CycleSwitch fresh(e.design);
    fresh.set_position(e.position.x, e.position.y);
    SwitchTraffic traffic(e.design, e.position, e.load, e.seed);
    for (int t = 0; t < 100; ++t) {
      const arch::SwitchInputs& inputs = traffic.drive();
      const arch::SwitchOutputs& outputs = fresh.cycle(inputs);
      ASSERT_EQ(difference(e.design, used.cycle(inputs), outputs), "")
          << "seed " << seed << ", experiment " << k << ", cycle " << t;
      traffic.observe(outputs);
    }
  }
}

}  // namespace
}  // namespace weft::models
