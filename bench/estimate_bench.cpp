// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "arch/estimate.h"
#include "arch/workload/read.h"

namespace {

/// Layers a second of the closed-form estimator; the target is 100,000.
void estimate_resnet50(benchmark::State& state) {
  const auto workload =
      weft::arch::read_workload(WEFT_SOURCE_DIR "/arch/presets/workloads/resnet50.yaml").workload;
  weft::arch::TensorArray array;
  array.rows = array.cols = static_cast<int>(state.range(0));
  std::int64_t layers = 0;
  for (auto _ : state) {
    const auto estimate = weft::arch::estimate(array, workload);
    benchmark::DoNotOptimize(estimate.total);
    layers += static_cast<std::int64_t>(estimate.layers.size());
  }
  state.SetItemsProcessed(layers);
}
BENCHMARK(estimate_resnet50)->Arg(16)->Arg(128);

void read_resnet50(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        weft::arch::read_workload(WEFT_SOURCE_DIR "/arch/presets/workloads/resnet50.yaml"));
  }
}
BENCHMARK(read_resnet50);

}  // namespace
