// SPDX-License-Identifier: Apache-2.0
//
// The testbench against the hand-written reference array.
#include "testbenches/tensor_array/cosim.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace weft::verif {
namespace {

ArrayRtl reference_rtl(const arch::TensorArray& array) {
  ArrayRtl rtl;
  rtl.files = {
      {"reference_array.v",
       base::read_file(WEFT_SOURCE_DIR "/testbenches/tensor_array/tests/reference_array.v")}};
  rtl.top = "reference_array";
  rtl.parameters = {{"ROWS", std::to_string(array.rows)},
                    {"COLS", std::to_string(array.cols)},
                    {"STATIONARY_WIDTH", std::to_string(array.stationary_format.bits)},
                    {"MOVING_WIDTH", std::to_string(array.moving_format.bits)},
                    {"ACC_WIDTH", std::to_string(array.accumulator_width)},
                    {"TAG_WIDTH", std::to_string(array.tag_width)}};
  return rtl;
}

class CosimTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WEFT_CACHE", WEFT_BINARY_DIR "/test-cache", 1); }
};

arch::TensorArray some_array(int rows, int cols) {
  arch::TensorArray array;
  array.rows = rows;
  array.cols = cols;
  return arch::resolved(array);
}

TEST_F(CosimTest, TheReferenceArrayAgrees) {
  for (const auto& [rows, cols] : {std::pair{4, 4}, std::pair{3, 7}, std::pair{8, 2}}) {
    const arch::TensorArray array = some_array(rows, cols);
    const CosimReport report = run_cosim(array, reference_rtl(array));
    EXPECT_TRUE(report.passed()) << report.first_mismatch << "\n" << report.reproduce;
    EXPECT_EQ(report.transactions, 1000U);
    EXPECT_EQ(report.coverage.reached(), report.coverage.corners().size())
        << to_json(report).dump(2);
  }
}

}  // namespace
}  // namespace weft::verif
