// SPDX-License-Identifier: Apache-2.0
//
// What the generator emits, against the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

#include "arch/config.h"
#include "base/tests/run_seed.h"
#include "testbenches/tensor_array/array_faults.h"
#include "testbenches/tensor_array/emitted_rtl.h"
#include "testbenches/tensor_array/fault_campaign.h"

namespace weft::verif {
namespace {

class EmittedTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WEFT_CACHE", WEFT_BINARY_DIR "/test-cache", 1); }
};

/// Small arrays of all kinds, anew in every run.
void agree_on_random_arrays(const char* dataflow, int count) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < count; ++i) {
    arch::TensorArray array =
        arch::random_tensor_array(random, {{"rows", arch::IntRange{1, 9}},
                                           {"cols", arch::IntRange{1, 9}},
                                           {"pe_registers", arch::IntRange{1, 5}},
                                           {"dataflow", arch::Choice{{dataflow}, {}}}});
    array.name = "random_array";
    CosimOptions options;
    options.seed = random();
    options.transactions = 150;
    const CosimReport report = run_cosim(array, emitted_rtl(array), options);
    EXPECT_TRUE(report.passed()) << arch::canonical_form(arch::config_of(array))
                                 << report.first_mismatch;
    EXPECT_GE(report.coverage.reached() + 2, report.coverage.possible()) << to_json(report).dump(1);
  }
}

TEST_F(EmittedTest, RandomWeightStationaryArraysAgree) {
  agree_on_random_arrays("weight_stationary", 16);
}

TEST_F(EmittedTest, RandomInputStationaryArraysAgree) {
  agree_on_random_arrays("input_stationary", 10);
}

TEST_F(EmittedTest, RandomOutputStationaryArraysAgree) {
  agree_on_random_arrays("output_stationary", 18);
}

TEST_F(EmittedTest, ModulesAgreeWhenReelaboratedAtOtherSizes) {
  std::mt19937_64 random(weft::test::run_seed());
  for (const char* dataflow : {"weight_stationary", "output_stationary"}) {
    for (int i = 0; i < 4; ++i) {
      const arch::Narrowed small = {{"rows", arch::IntRange{1, 9}},
                                    {"cols", arch::IntRange{1, 9}},
                                    {"pe_registers", arch::IntRange{1, 5}},
                                    {"dataflow", arch::Choice{{dataflow}, {}}}};
      arch::TensorArray emitted = arch::random_tensor_array(random, small);
      arch::TensorArray array = arch::random_tensor_array(random, small);
      emitted.name = array.name = "reelaborated";
      array.stationary_format.is_signed = emitted.stationary_format.is_signed;
      array.moving_format.is_signed = emitted.moving_format.is_signed;
      array.overflow = emitted.overflow;
      array.multiplier_stages = emitted.multiplier_stages;
      array.adder_stages = emitted.adder_stages;
      array.stationary_buffers = emitted.stationary_buffers;
      array.skew = emitted.skew;
      array.max_depth = array.accumulator_width = 0;
      array = arch::resolved(array);
      // RTL emitted without saturation logic refuses sizes at which a sum of any operands of these
      // widths could saturate, even if none of these formats' values would.
      array.accumulator_width = std::max(
          array.accumulator_width,
          array.moving_format.bits + array.stationary_format.bits +
              static_cast<int>(std::bit_width(static_cast<std::uint64_t>(array.depth() - 1))));
      const CosimReport report = run_cosim(array, emitted_rtl(emitted, array), {});
      EXPECT_TRUE(report.passed())
          << "emitted as " << arch::canonical_form(arch::config_of(emitted)) << "\nelaborated as "
          << arch::canonical_form(arch::config_of(array)) << report.first_mismatch;
    }
  }
}

void notice_all_faults(const arch::TensorArray& array, const std::vector<Fault>& faults) {
  const ArrayRtl rtl = emitted_rtl(array);
  ASSERT_TRUE(run_cosim(array, rtl).passed());
  CosimOptions options;
  options.transactions = 200;
  for (const FaultResult& result : run_fault_campaign(array, rtl, faults, options)) {
    EXPECT_EQ(result.outcome, FaultResult::Outcome::compared)
        << result.fault.name << ": " << result.detail;
  }
}

TEST_F(EmittedTest, NoticesEveryFaultOfAStationaryArray) {
  constexpr auto dataflow = arch::Dataflow::weight_stationary;
  notice_all_faults(array_for_faults(dataflow), array_faults(dataflow));
}

TEST_F(EmittedTest, NoticesEveryFaultOfAnOutputStationaryArray) {
  constexpr auto dataflow = arch::Dataflow::output_stationary;
  notice_all_faults(array_for_faults(dataflow), array_faults(dataflow));
}

TEST_F(EmittedTest, NoticesEveryFaultOfOperandIsolation) {
  for (const auto dataflow :
       {arch::Dataflow::weight_stationary, arch::Dataflow::output_stationary}) {
    arch::TensorArray array = array_for_faults(dataflow);
    array.operand_isolation = true;
    notice_all_faults(array, isolation_faults(dataflow));
  }
}

TEST_F(EmittedTest, NoticesEveryFaultOfGatedClocks) {
  for (const auto dataflow :
       {arch::Dataflow::weight_stationary, arch::Dataflow::output_stationary}) {
    arch::TensorArray array = array_for_faults(dataflow);
    array.clock_gating = arch::ClockGating::per_row;
    notice_all_faults(array, gating_faults(dataflow));
  }
}

}  // namespace
}  // namespace weft::verif
