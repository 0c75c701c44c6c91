// SPDX-License-Identifier: Apache-2.0
// What the switch generator emits, over the whole parameter space: clean under three tools, the
// same bytes again, and legal at other sizes.
#include "rtl_gen/switch/switch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <variant>

#include "arch/config.h"
#include "base/tests/run_seed.h"
#include "rtl_gen/hdl/tests/lint.h"

namespace weft::rtl {
namespace {

arch::Switch draw(std::mt19937_64& random) {
  arch::Switch device = arch::random_switch(random, {{"ports", arch::IntRange{2, 7}},
                                                     {"flit_width", arch::IntRange{16, 96}},
                                                     {"virtual_channels", arch::IntRange{1, 4}},
                                                     {"buffer_depth", arch::IntRange{1, 9}}});
  device.name = "drawn";  // a name of one letter may hide a variable of a module; emit() refuses it
  return device;
}

TEST(SwitchRtl, IsCleanUnderThreeTools) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < 24 && !HasFailure(); ++i) {
    const arch::Switch device = draw(random);
    EXPECT_EQ(hdl::test::lint(build_switch(device, {}), device.name), "")
        << arch::canonical_form(arch::config_of(device));
  }
}

TEST(SwitchRtl, IsTheSameTextAgain) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < 20; ++i) {
    const arch::Switch device = draw(random);
    const hdl::Provenance from{"1.0", "name", "0123"};
    EXPECT_EQ(build_switch(device, from).render(), build_switch(device, from).render());
  }
}

TEST(SwitchRtl, ChecksAtOtherSizes) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < 30; ++i) {
    const arch::Switch device = draw(random);
    const hdl::Design design = build_switch(device, {});
    const hdl::Module& top = *design.find(device.name);
    const auto expect_legal = [&](const hdl::ParameterValues& values) {
      EXPECT_NO_THROW(top.check(values)) << arch::canonical_form(arch::config_of(device));
    };
    // Lanes of a reduction are whole, and headers must fit.
    expect_legal({{"FLIT_WIDTH", device.flit_width + 32}});
    if (top.find_parameter("DEPTH") != nullptr) {
      for (const int depth : {1, 2, 7, 40}) expect_legal({{"DEPTH", depth}});
    }
    if (top.find_parameter("CREDITS") != nullptr) expect_legal({{"CREDITS", 17}});
    if (device.virtual_channels > 1) {
      expect_legal({{"VIRTUAL_CHANNELS", 2 * device.traffic_classes}});
      expect_legal({{"VIRTUAL_CHANNELS", 5 * device.traffic_classes}});
    }
    const bool numbered = device.routing == arch::Routing::source && !device.collectives();
    if (numbered) expect_legal({{"PORTS", 3}, {"FLIT_WIDTH", 96}});
  }
}

/// A file of a design with the given configuration text.
std::string module_text(const std::string& config, const std::string& module) {
  const auto device = std::get<arch::Switch>(
      arch::parse_config("kind: switch\nname: s\nports: 5\n" + config, "f").design);
  const auto files = build_switch(device, {}).render();
  const auto file = files.find("s" + module + ".v");
  return file == files.end() ? "" : file->second;
}

TEST(SwitchRtl, HasOnlyTheLogicThatIsNeeded) {
  EXPECT_EQ(module_text("organisation: input_queued", "_input_requests"), "");
  EXPECT_EQ(module_text("organisation: input_queued", "_output_requests"), "");
  EXPECT_EQ(module_text("virtual_channels: 1", "").find("in_vc_i"), std::string::npos);
  EXPECT_NE(module_text("virtual_channels: 2", "").find("in_vc_i"), std::string::npos);
  EXPECT_EQ(module_text("virtual_channels: 2\ntraffic_classes: 2", "_weighted"), "");
  EXPECT_NE(
      module_text("virtual_channels: 2\ntraffic_classes: 2\nclass_priority: weighted", "_weighted"),
      "");
  EXPECT_EQ(module_text("pipeline: 3", "_queue_memory").find("word_clk"), std::string::npos);
  EXPECT_NE(module_text("pipeline: 3\nclock_gating: true", "_queue_memory").find("word_clk"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::rtl
