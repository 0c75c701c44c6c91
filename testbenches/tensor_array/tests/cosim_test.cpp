// SPDX-License-Identifier: Apache-2.0
//
// The testbench against the hand-written reference array.
#include "testbenches/tensor_array/cosim.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "testbenches/tensor_array/fault_campaign.h"
#include "testbenches/tensor_array/rtl_gemm.h"
#include "testbenches/tensor_array/tests/reference_rtl.h"
#include "testbenches/tensor_array/workload_cosim.h"

namespace weft::verif {
namespace {

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
    EXPECT_EQ(report.coverage.reached(), report.coverage.possible()) << to_json(report).dump(2);
  }
}

TEST_F(CosimTest, WholeLayersGiveTheirProductsInTheEstimatedTime) {
  const arch::TensorArray array = some_array(4, 5);
  arch::Workload workload;
  workload.layers.push_back({"gemm", arch::Gemm{.m = 700, .n = 11, .k = 18}, 2});
  workload.layers.push_back({"tiny", arch::Gemm{.m = 1, .n = 1, .k = 1}, 1});
  arch::Convolution conv;
  conv.height = conv.width = 9;
  conv.channels = 6;
  conv.filters = 8;
  conv.kernel_height = conv.kernel_width = 3;
  conv.stride_height = 2;
  conv.pad_top = conv.pad_left = 1;
  conv.groups = 2;
  workload.layers.push_back({"convolution", conv, 3});
  const WorkloadReport report =
      run_workload_cosim(array, reference_rtl(array), workload, "layers.yaml");
  EXPECT_TRUE(report.passed()) << report.cosim.first_mismatch;
  ASSERT_EQ(report.layers.size(), 3U);
  for (const LayerRun& run : report.layers) {
    EXPECT_EQ(run.cycles, run.estimated) << run.name;
    EXPECT_EQ(run.wrong, 0U) << run.name;
  }
  // 700 x 18 x 11: 5 tiles of K by 3 of N, twice, each of 700 vectors; more than one chunk.
  EXPECT_GT(report.layers[0].cycles, 2U * 5 * 3 * 700);
  EXPECT_EQ(to_json(report)["layers"].size(), 3U);
}

TEST_F(CosimTest, MultipliesMatricesOnTheRtl) {
  const arch::TensorArray array = some_array(4, 5);
  RtlGemm rtl(array, reference_rtl(array));
  arch::Operands a(3, 7), b(7, 6);
  for (int i = 0; i < 21; ++i) a(i / 7, i % 7) = i * 5 % 23 - 11;
  for (int i = 0; i < 42; ++i) b(i / 6, i % 6) = i * 7 % 31 - 15;
  const arch::Sums c = rtl.multiply(a, b);
  EXPECT_TRUE(rtl.report().passed());
  for (int m = 0; m < 3; ++m) {
    for (int n = 0; n < 6; ++n) {
      std::int64_t sum = 0;
      for (int k = 0; k < 7; ++k) sum += a(m, k) * b(k, n);
      EXPECT_EQ(c(m, n), sum);
    }
  }
}

TEST_F(CosimTest, NoticesPlantedFaults) {
  const std::string file = "reference_array.v";
  const std::vector<Fault> faults = {
      {"no valid with the last vector", "protocol", file, "{valid_q[LATENCY-2:0], move}",
       "{valid_q[LATENCY-2:0], move & ~moving_last_i}"},
      {"a result too early by a cycle", "timing", file, "result_valid_o = valid_q[LATENCY-1]",
       "result_valid_o = valid_q[LATENCY-2]"},
      {"back pressure ignored", "protocol", file, "advance = result_ready_i | ~result_valid_o",
       "advance = result_ready_i | ~result_valid_o | last_q[0]"},
      {"weights of a column never switch", "storage", file, "if (switch_at[r+c])",
       "if (switch_at[r+c] && c != 1)"},
      {"unsigned moving operand", "arithmetic", file, "wire signed [MOVING_WIDTH-1:0]     x;",
       "wire        [MOVING_WIDTH-1:0]     x;"},
      {"load joins the chain a beat late", "storage", file, "(beat_q + 1 > r)", "(beat_q > r)"},
      {"control not reset", "reset", file, "full_q       <= 1'b0;", "full_q       <= full_q;"},
      {"tag of the vector before", "protocol", file, "result_tag_o   = tag_q[(LATENCY-1)*TAG_WIDTH",
       "result_tag_o   = tag_q[(LATENCY-2)*TAG_WIDTH"},
      {"partial sum a bit too narrow", "arithmetic", file, "psum_q <= psum + weight_q * x;",
       "psum_q <= (psum + weight_q * x) & ~(32'h1 << 14);"},
      {"moving ready while nothing is loaded", "timing", file, "advance & (busy_q | switch)",
       "advance & (busy_q | full_q | load)"}};
  const arch::TensorArray array = some_array(4, 4);
  CosimOptions options;
  options.transactions = 100;
  for (const FaultResult& result :
       run_fault_campaign(array, reference_rtl(array), faults, options)) {
    EXPECT_EQ(result.outcome, FaultResult::Outcome::compared)
        << result.fault.name << ": " << result.detail;
  }
}

TEST_F(CosimTest, RefusesAScenarioThatIsNotThere) {
  const arch::TensorArray array = some_array(4, 4);
  CosimOptions options;
  options.transactions = 10;
  options.scenario = 100000;
  EXPECT_THROW(static_cast<void>(run_cosim(array, reference_rtl(array), options)), UserError);
}

TEST_F(CosimTest, RefusesFaultsThatAreOutOfDate) {
  const std::vector<VerilogFile> files = {{"a.v", "x y x"}, {"b.v", "x"}};
  EXPECT_EQ(plant({"f", "k", "a.v", "x", "xz", 2}, files)[0].text, "xz y xz");
  EXPECT_EQ(plant({"f", "k", "a.v", "x", "xz", 2}, files)[1].text, "x");
  EXPECT_THROW(static_cast<void>(plant({"f", "k", "a.v", "x", "z", 1}, files)), std::logic_error);
  EXPECT_THROW(static_cast<void>(plant({"f", "k", "a.v", "w", "z", 1}, files)), std::logic_error);
  EXPECT_THROW(static_cast<void>(plant({"f", "k", "c.v", "x", "z", 1}, files)), std::logic_error);
}

TEST_F(CosimTest, AFailureCanBeReproducedByItsCommandLine) {
  const arch::TensorArray array = some_array(4, 4);
  ArrayRtl rtl = reference_rtl(array);
  rtl.files = plant({"rare", "arithmetic", ".v", "psum_q <= psum + weight_q * x;",
                     "psum_q <= psum + weight_q * x + {31'b0, x == 8'h55 && weight_q == 8'h33};"},
                    rtl.files);
  CosimOptions options;
  options.command = "weft cosim rare.yaml";
  options.build.lint = false;
  options.seed = 42;
  const CosimReport report = run_cosim(array, rtl, options);
  ASSERT_FALSE(report.passed());
  EXPECT_NE(report.first_mismatch.find("expected"), std::string::npos) << report.first_mismatch;
  const std::string start = "weft cosim rare.yaml --seed 42 --transactions 1000 --scenario ";
  ASSERT_EQ(report.reproduce.rfind(start, 0), 0U) << report.reproduce;

  CosimOptions again = options;
  again.scenario = std::stoull(report.reproduce.substr(start.size()));
  again.trace = std::filesystem::temp_directory_path() / "weft-reproduce.fst";
  const CosimReport second = run_cosim(array, rtl, again);
  EXPECT_EQ(second.first_mismatch, report.first_mismatch);
  EXPECT_EQ(second.scenarios, 1U);
  EXPECT_GT(std::filesystem::file_size(*again.trace), 1000U);
  std::filesystem::remove(*again.trace);

  const std::string junit = to_junit(report.tests);
  EXPECT_NE(junit.find("<failure message=\"scenario "), std::string::npos) << junit;
}

}  // namespace
}  // namespace weft::verif
