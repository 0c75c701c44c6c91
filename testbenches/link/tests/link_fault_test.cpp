// SPDX-License-Identifier: Apache-2.0
// Does the testbench notice design errors?
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "testbenches/link/link_cosim.h"
#include "testbenches/link/link_faults.h"

namespace weft::verif {
namespace {

class LinkFaults : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WEFT_CACHE", WEFT_BINARY_DIR "/test-cache", 1); }
};

TEST_F(LinkFaults, AreAllCaught) {
  arch::Link link;
  link.name = "faulty";
  link.flit_width = 24;
  link.virtual_channels = 3;
  link.lanes = 3;
  link.lane_width = 12;
  link.channel_latency = 3;
  link = arch::resolved(link);
  const LinkRtl rtl = emitted_rtl(link);
  LinkCosimOptions options;
  ASSERT_TRUE(run_cosim(link, rtl, options).passed());
  options.build.lint = false;  // it is the comparison that must notice
  const char* const only = std::getenv("WEFT_TEST_FAULT");
  for (const Fault& fault : link_faults()) {
    if (only != nullptr && fault.name.find(only) == std::string::npos) continue;
    LinkRtl faulty = rtl;
    faulty.files = plant(fault, rtl.files);
    const LinkCosimReport report = run_cosim(link, faulty, options);
    EXPECT_FALSE(report.passed()) << fault.name;
    std::cout << fault.name << ": " << report.first_mismatch << "\n";
  }
}

}  // namespace
}  // namespace weft::verif
