// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/workload_cosim.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "arch/estimate.h"
#include "arch/numerics/integer.h"
#include "arch/workload/convolution.h"
#include "arch/workload/mapping.h"
#include "base/cpu_time.h"
#include "testbenches/tensor_array/layer_operands.h"
#include "testbenches/tensor_array/rtl_gemm.h"
#include "verif/random.h"

namespace weft::verif {
namespace {

/// The product as mathematics has it.
arch::Sums exact_product(const arch::Operands& a, const arch::Operands& b) {
  arch::Sums c(a.rows(), b.cols());
  for (std::int64_t m = 0; m < a.rows(); ++m) {
    const auto out = c.row(m);
    for (std::int64_t k = 0; k < a.cols(); ++k) {
      const std::int64_t factor = a(m, k);
      const auto from = b.row(k);
      for (std::size_t n = 0; n < out.size(); ++n) out[n] += factor * from[n];
    }
  }
  return c;
}

/// What the array must give: the exact product where no sum on the way can overflow, which needs
/// nothing of the array's arithmetic; else what the golden arithmetic gives.
arch::Sums expected_product(const arch::TensorArray& array, const arch::Operands& a,
                            const arch::Operands& b) {
  const std::int64_t depth =
      array.output_stationary() ? a.cols() + array.macs_per_pe : array.depth();
  const int exact_width =
      arch::exact_accumulator_width(array.moving_format, array.stationary_format, depth);
  return exact_width <= array.accumulator_width ? exact_product(a, b)
                                                : arch::golden_gemm(array, a, b);
}

std::uint64_t count_differences(const arch::Sums& a, const arch::Sums& b) {
  std::uint64_t count = 0;
  for (std::int64_t m = 0; m < a.rows(); ++m) {
    for (std::int64_t n = 0; n < a.cols(); ++n) count += a(m, n) != b(m, n) ? 1 : 0;
  }
  return count;
}

LayerRun run_layer(RtlGemm& rtl, const arch::TensorArray& array, const arch::Layer& layer,
                   const arch::LayerEstimate& estimate, std::uint64_t seed) {
  LayerRun run;
  run.name = layer.name;
  run.estimated = static_cast<std::uint64_t>(estimate.effort.cycles.total());
  // Results follow operands after a product at the most, but tiles are packed ahead.
  LayerOperands operands(array, layer, seed);
  LayerOperands expected(array, layer, seed);
  std::int64_t products = 0;
  run.cycles = rtl.multiply(
      layer.name, layer.gemm(), layer.products(),
      [&](std::int64_t index) { return operands(index); },
      [&](std::int64_t index, const arch::Sums& c) {
        const auto [a, b] = expected(index);
        run.wrong += count_differences(c, expected_product(array, a, b));
        ++products;
      });
  return run;
}

}  // namespace

WorkloadReport run_workload_cosim(const arch::TensorArray& array, const ArrayRtl& rtl,
                                  const arch::Workload& workload,
                                  const std::string& workload_argument,
                                  const CosimOptions& options) {
  const arch::Estimate estimate = arch::estimate(array, workload);
  RtlGemm gemm(array, rtl, options);
  WorkloadReport report;
  for (std::size_t i = 0; i < workload.layers.size(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = base::thread_cpu_seconds();
    report.layers.push_back(run_layer(gemm, array, workload.layers[i], estimate.layers[i],
                                      Random(options.seed, i).bits()));
    const LayerRun& run = report.layers.back();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CosimReport& cosim = gemm.report();
    TestReport::Case& test = cosim.tests.find(run.name);
    test.seconds += seconds;
    cosim.streaming_seconds += base::thread_cpu_seconds() - cpu_start;
    cosim.streamed_macs = cosim.macs;
    ++cosim.scenarios;

    std::string text = gemm.session().bench().scoreboard().first_mismatch();
    if (text.empty() && run.wrong > 0) {
      text = fmt::format("{} elements of the matrix products are wrong", run.wrong);
    }
    if (text.empty() && run.cycles != run.estimated) {
      text =
          fmt::format("the estimator says {} cycles, the array took {}", run.estimated, run.cycles);
    }
    if (!text.empty()) {
      gemm.session().fail(test, fmt::format("layer {}: {}", run.name, text),
                          "--workload " + workload_argument);
      break;
    }
  }
  report.cosim = gemm.report();
  return report;
}

nlohmann::ordered_json to_json(const WorkloadReport& report) {
  nlohmann::ordered_json json = to_json(report.cosim);
  json.erase("coverage");
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();
  for (const LayerRun& run : report.layers) {
    layers.push_back({{"name", run.name},
                      {"cycles", run.cycles},
                      {"estimated_cycles", run.estimated},
                      {"wrong_elements", run.wrong}});
  }
  json["layers"] = layers;
  return json;
}

}  // namespace weft::verif
