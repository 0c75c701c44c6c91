// SPDX-License-Identifier: Apache-2.0
// What the switch generator emits, over the whole parameter space: clean under three tools, the
// same bytes again, and legal at other sizes.
#include "rtl_gen/switch/switch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <variant>

#include "arch/config.h"
#include "rtl_gen/hdl/tests/tool_run.h"

namespace weft::rtl {
namespace {

using hdl::test::ScratchDirectory;

arch::Switch draw(std::mt19937_64& random) {
  return arch::random_switch(random, {{"ports", arch::IntRange{2, 7}},
                                      {"flit_width", arch::IntRange{16, 96}},
                                      {"virtual_channels", arch::IntRange{1, 4}},
                                      {"buffer_depth", arch::IntRange{1, 9}}});
}

std::uint64_t seed() {
  const char* given = std::getenv("WEFT_TEST_SEED");
  const std::uint64_t value =
      given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device{}();
  std::cout << "WEFT_TEST_SEED=" << value << "\n";
  return value;
}

std::string files(const hdl::Design& design, const ScratchDirectory& scratch) {
  for (const auto& [name, text] : design.render()) scratch.write(name, text);
  return fmt::format("{}", fmt::join(design.file_order(), " "));
}

void expect_silent(const ScratchDirectory& scratch, const std::string& command,
                   const arch::Switch& device) {
  const auto result = hdl::test::run(scratch.path(), command);
  EXPECT_TRUE(result.status == 0 && result.output.empty())
      << command << "\n"
      << result.output << arch::canonical_form(arch::config_of(device));
}

TEST(SwitchRtl, IsCleanUnderThreeTools) {
  std::mt19937_64 random(seed());
  for (int i = 0; i < 24; ++i) {
    const arch::Switch device = draw(random);
    const ScratchDirectory scratch;
    const std::string sources = files(build_switch(device, {}), scratch);
    expect_silent(
        scratch,
        fmt::format("verilator --lint-only -Wall --top-module {} {}", device.name, sources),
        device);
    expect_silent(scratch,
                  fmt::format("iverilog -g2005 -Wall -s {} -t null {}", device.name, sources),
                  device);
    expect_silent(scratch,
                  fmt::format("yosys -q -p 'read_verilog {}; hierarchy -check -top {}'", sources,
                              device.name),
                  device);
    if (HasFailure()) return;
  }
}

TEST(SwitchRtl, IsTheSameTextAgain) {
  std::mt19937_64 random(seed());
  for (int i = 0; i < 20; ++i) {
    const arch::Switch device = draw(random);
    const hdl::Provenance from{"1.0", "name", "0123"};
    EXPECT_EQ(build_switch(device, from).render(), build_switch(device, from).render());
  }
}

TEST(SwitchRtl, ChecksAtOtherSizes) {
  std::mt19937_64 random(seed());
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
  EXPECT_EQ(module_text("virtual_channels: 2", "_output_requests").find("turn_q"),
            std::string::npos);
  EXPECT_NE(module_text("virtual_channels: 2\ntraffic_classes: 2\nclass_priority: weighted",
                        "_output_requests")
                .find("turn_q"),
            std::string::npos);
  EXPECT_EQ(module_text("pipeline: 3", "_queue_memory").find("word_clk"), std::string::npos);
  EXPECT_NE(module_text("pipeline: 3\nclock_gating: true", "_queue_memory").find("word_clk"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::rtl
