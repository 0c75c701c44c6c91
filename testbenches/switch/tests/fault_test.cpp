// SPDX-License-Identifier: Apache-2.0
//
// Design errors planted in emitted switches.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "testbenches/switch/cosim.h"
#include "testbenches/switch/emitted_switch.h"
#include "testbenches/switch/switch_faults.h"
#include "verif/fault_campaign.h"

namespace weft::verif {
namespace {

std::vector<FaultResult> campaign(const FaultySwitch& faulty, const SwitchRtl& rtl, Judges judges) {
  CosimOptions options;
  options.transactions = 200;
  options.build.quick = true;
  options.build.lint = false;  // it is the comparison that must notice
  return run_fault_campaign(
      rtl, faulty.faults,
      [&](const Rtl& planted) {
        return run_switch_cosim(faulty.design, planted, options, judges).first_mismatch;
      },
      nullptr);
}

/// Every fault is noticed; prints by what.
void notice_all_faults(std::size_t index, std::size_t scoreboard_at_least) {
  setenv("WEFT_CACHE", WEFT_BINARY_DIR "/test-cache", 1);
  const FaultySwitch faulty = faulty_switches()[index];
  const SwitchRtl rtl = emitted_switch(faulty.design);
  CosimOptions options;
  options.build.quick = true;
  const SwitchCosimReport right = run_switch_cosim(faulty.design, rtl, options);
  ASSERT_TRUE(right.passed()) << right.first_mismatch;

  const auto with_model = campaign(faulty, rtl, Judges::model_and_scoreboard);
  const auto without = campaign(faulty, rtl, Judges::scoreboard);
  std::size_t noticed = 0;
  for (std::size_t i = 0; i < with_model.size(); ++i) {
    const FaultResult& result = with_model[i];
    EXPECT_EQ(result.outcome, FaultResult::Outcome::compared)
        << result.fault.name << ": " << result.detail;
    const bool alone = without[i].outcome == FaultResult::Outcome::compared;
    noticed += alone ? 1 : 0;
    std::cout << result.fault.name << "\n    " << result.detail
              << "\n    scoreboard: " << (alone ? without[i].detail : std::string("nothing"))
              << "\n";
  }
  std::cout << "the scoreboard alone notices " << noticed << " of " << with_model.size() << "\n";
  EXPECT_GE(noticed, scoreboard_at_least);
}

TEST(SwitchFaults, OfCollectives) { notice_all_faults(0, 30); }
TEST(SwitchFaults, OfReadyValid) { notice_all_faults(1, 8); }
TEST(SwitchFaults, OfAMeshNode) { notice_all_faults(2, 4); }
TEST(SwitchFaults, OfACentralBuffer) { notice_all_faults(3, 4); }

}  // namespace
}  // namespace weft::verif
