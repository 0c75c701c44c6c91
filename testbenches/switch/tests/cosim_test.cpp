// SPDX-License-Identifier: Apache-2.0
//
// What the generator emits for switches, against the model.
#include "testbenches/switch/cosim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "arch/config.h"
#include "base/error.h"
#include "base/tests/run_seed.h"
#include "testbenches/switch/emitted_switch.h"
#include "testbenches/switch/tests/small_switches.h"
#include "verif/faults.h"

namespace weft::verif {
namespace {

using arch::Boolean;
using arch::Choice;
using arch::Domain;

class SwitchCosimTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WEFT_CACHE", WEFT_BINARY_DIR "/test-cache", 1); }

  static CosimOptions quick(std::uint64_t seed) {
    CosimOptions options;
    options.seed = seed;
    options.transactions = 600;
    options.build.quick = true;
    return options;
  }

  /// One switch for each way in which the parameters are narrowed beyond the small sizes.
  static void agree(const std::vector<arch::Narrowed>& kinds) {
    std::mt19937_64 random(weft::test::run_seed());
    for (const arch::Narrowed& kind : kinds) {
      arch::Narrowed narrowed = small_sizes();
      for (const auto& [name, domain] : kind) narrowed.insert_or_assign(name, domain);
      arch::Switch design = arch::random_switch(random, narrowed);
      design.name = "random_switch";
      const SwitchCosimReport report =
          run_switch_cosim(design, emitted_switch(design), quick(random()));
      EXPECT_TRUE(report.passed())
          << arch::canonical_form(arch::config_of(design)) << report.first_mismatch;
      EXPECT_GE(2 * report.coverage.reached(), report.coverage.possible())
          << to_json(report).dump(1);
    }
  }

  static arch::Narrowed only(const char* parameter, const char* word) {
    return {{parameter, Choice{{word}, {}}}};
  }
};

TEST_F(SwitchCosimTest, RandomSwitchesOfAllOrganisationsAgree) {
  std::vector<arch::Narrowed> kinds;
  for (const char* word : {"virtual_output_queued", "input_queued"}) {
    kinds.push_back(only("organisation", word));
    kinds.push_back(only("organisation", word));
    kinds.back().insert({"flow_control", Choice{{"ready_valid"}, {}}});
    kinds.push_back(only("organisation", word));
    kinds.back().insert({"virtual_channels", arch::IntRange{2, 4}});
  }
  for (const char* word : {"output_queued", "central_buffer", "crossbar"}) {
    kinds.push_back(only("organisation", word));
    kinds.push_back(only("organisation", word));
  }
  agree(kinds);
}

TEST_F(SwitchCosimTest, RandomSwitchesOfAllRoutingsAgree) {
  std::vector<arch::Narrowed> kinds;
  for (const char* word : {"destination_table", "address", "source", "dimension_order",
                           "west_first", "odd_even", "up_down"}) {
    kinds.push_back(only("routing", word));
  }
  kinds.push_back({{"lookahead_routing", Boolean{{true}}}});
  agree(kinds);
}

TEST_F(SwitchCosimTest, RandomSwitchesOfAllAllocatorsAndPipelinesAgree) {
  std::vector<arch::Narrowed> kinds;
  for (const char* word : {"round_robin", "islip", "wavefront", "matrix"}) {
    kinds.push_back(only("allocator", word));
    // Where inputs choose, too.
    kinds.back().insert({"organisation", Choice{{"virtual_output_queued"}, {}}});
  }
  for (const char* word : {"single_cycle", "2", "3", "4"}) kinds.push_back(only("pipeline", word));
  kinds.push_back({{"speculative_allocation", Boolean{{true}}}});
  agree(kinds);
}

TEST_F(SwitchCosimTest, RandomSwitchesOfAllFlowsAndClassesAgree) {
  std::vector<arch::Narrowed> kinds;
  for (const char* word : {"wormhole", "virtual_cut_through", "store_and_forward"}) {
    kinds.push_back(only("switching", word));
  }
  kinds.push_back({{"buffer_depth", arch::IntRange{1, 1}}});
  kinds.push_back(only("vc_allocation", "any"));
  kinds.back().insert({"virtual_channels", arch::IntRange{3, 4}});
  for (const char* word : {"strict", "weighted"}) {
    kinds.push_back(only("class_priority", word));
    kinds.back().insert({"traffic_classes", arch::IntRange{2, 2}});
    kinds.back().insert({"virtual_channels", arch::IntSet{{2, 4}}});
  }
  agree(kinds);
}

TEST_F(SwitchCosimTest, RandomSwitchesWithCollectivesAgree) {
  const Domain yes = Boolean{{true}};
  const Domain no = Boolean{{false}};
  std::vector<arch::Narrowed> kinds;
  for (const char* organisation : {"virtual_output_queued", "input_queued"}) {
    for (const auto& [multicast, reduction] :
         {std::pair{yes, no}, std::pair{no, yes}, std::pair{yes, yes}}) {
      kinds.push_back(only("organisation", organisation));
      kinds.back().insert({"multicast", multicast});
      kinds.back().insert({"in_network_reduction", reduction});
      kinds.back().insert({"flit_width", arch::IntSet{{32, 64, 96}}});
    }
  }
  agree(kinds);
}

arch::Switch small_switch() {
  arch::Switch design;
  design.name = "tiny";
  design.ports = 3;
  design.buffer_depth = 4;
  design.max_packet_flits = 4;
  return design;
}

/// Whether a configuration file could say that.
bool is_legal(const arch::Switch& design) {
  try {
    const arch::Config config = arch::config_of(design);
    return arch::parse_config(arch::canonical_form(config), "switch.yaml") == config;
  } catch (const UserError&) {
    return false;
  }
}

/// The Verilog of one switch with the sizes of another one.
SwitchRtl reelaborated(const arch::Switch& emitted, const arch::Switch& design) {
  SwitchRtl rtl = emitted_switch(emitted);
  const std::string top = std::find_if(rtl.files.begin(), rtl.files.end(), [](const auto& file) {
                            return file.name == "tiny.v";
                          })->text;
  const auto set = [&](const char* name, int value) {
    if (top.find(std::string(name) + " ") == std::string::npos) return;
    rtl.parameters[name] = std::to_string(value);
  };
  set("PORTS", design.ports);
  set("FLIT_WIDTH", design.flit_width);
  if (emitted.virtual_channels > 1) set("VIRTUAL_CHANNELS", design.virtual_channels);
  set("DEPTH", design.buffer_depth);
  if (design.flow_control == arch::FlowControl::credit) set("CREDITS", design.credits);
  if (design.switching != arch::Switching::wormhole) {
    set("MAX_PACKET_FLITS", design.max_packet_flits);
  }
  return rtl;
}

TEST_F(SwitchCosimTest, ModulesAgreeWhenReelaboratedAtOtherSizes) {
  std::mt19937_64 random(weft::test::run_seed());
  const auto draw = [&random](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int i = 0; i < 6; ++i) {
    // Source routes fit any number of ports; in the other routings ports are structure.
    arch::Narrowed narrowed = small_sizes();
    if (i % 2 == 0) {
      narrowed.insert_or_assign("routing", Choice{{"source"}, {}});
      narrowed.insert_or_assign("max_hops", arch::IntRange{1, 3});
      narrowed.insert_or_assign("multicast", Boolean{{false}});
      narrowed.insert_or_assign("in_network_reduction", Boolean{{false}});
    }
    arch::Switch emitted = arch::random_switch(random, narrowed);
    emitted.name = "tiny";
    arch::Switch design = emitted;
    do {
      design = emitted;
      if (i % 2 == 0) design.ports = draw(2, 6);
      design.flit_width = design.in_network_reduction ? 32 * draw(1, 3) : draw(16, 90);
      design.buffer_depth = draw(1, 12);
      if (design.flow_control == arch::FlowControl::credit) design.credits = draw(1, 12);
      if (design.virtual_channels > 1) {
        design.virtual_channels = design.traffic_classes * draw(1, 4 / design.traffic_classes);
      }
    } while (!is_legal(design) || (design.virtual_channels > 1) != (emitted.virtual_channels > 1));
    const SwitchCosimReport report =
        run_switch_cosim(design, reelaborated(emitted, design), quick(random()));
    EXPECT_TRUE(report.passed()) << "emitted as " << arch::canonical_form(arch::config_of(emitted))
                                 << "\nelaborated as "
                                 << arch::canonical_form(arch::config_of(design))
                                 << report.first_mismatch;
  }
}

// What is chosen among several VCs must be there even if the switch was emitted with one.
TEST_F(SwitchCosimTest, ClassesMayGetMoreChannelsThanTheyWereEmittedWith) {
  arch::Switch emitted = small_switch();
  emitted.organisation = arch::Organisation::input_queued;
  emitted.virtual_channels = emitted.traffic_classes = 2;
  emitted.vc_allocation = arch::VcAllocation::any;
  emitted = arch::resolved(emitted);
  arch::Switch design = emitted;
  design.virtual_channels = 4;
  const SwitchCosimReport report =
      run_switch_cosim(design, reelaborated(emitted, design), quick(1));
  EXPECT_TRUE(report.passed()) << report.first_mismatch;
}

TEST_F(SwitchCosimTest, AFailureCanBeReproducedByItsCommandLine) {
  const arch::Switch design = arch::resolved(small_switch());
  SwitchRtl rtl = emitted_switch(design);
  rtl.files = plant({"rare", "storage", "tiny_output.v", "flit_o} = leaving_q;",
                     "flit_o} = leaving_q ^ {{(FLIT_WIDTH+1){1'b0}}, leaving_q[40:32] == 9'h155};"},
                    rtl.files);
  CosimOptions options;
  options.seed = 42;
  options.command = "weft cosim rare.yaml";
  options.build.lint = false;
  options.build.quick = true;
  const SwitchCosimReport report = run_switch_cosim(design, rtl, options);
  ASSERT_FALSE(report.passed());
  EXPECT_NE(report.first_mismatch.find("expected"), std::string::npos) << report.first_mismatch;
  const std::string start = "weft cosim rare.yaml --seed 42 --transactions 1000 --scenario ";
  ASSERT_EQ(report.reproduce.rfind(start, 0), 0U) << report.reproduce;

  CosimOptions again = options;
  again.scenario = std::stoull(report.reproduce.substr(start.size()));
  again.trace = std::filesystem::temp_directory_path() / "weft-switch-reproduce.fst";
  const SwitchCosimReport second = run_switch_cosim(design, rtl, again);
  EXPECT_EQ(second.first_mismatch, report.first_mismatch);
  EXPECT_EQ(second.scenarios, 1U);
  EXPECT_GT(std::filesystem::file_size(*again.trace), 1000U);
  std::filesystem::remove(*again.trace);

  EXPECT_NE(to_junit(report.tests).find("<failure message=\"scenario "), std::string::npos);
  EXPECT_EQ(to_json(report)["status"], "fail");

  CosimOptions beyond = options;
  beyond.scenario = 100000;
  EXPECT_THROW(static_cast<void>(run_switch_cosim(design, rtl, beyond)), UserError);
}

}  // namespace
}  // namespace weft::verif
