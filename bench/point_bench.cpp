// SPDX-License-Identifier: Apache-2.0
//
// What a point of a sweep at depth estimate costs, by its parts: designs in a second, on one core.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <vector>

#include "arch/config.h"
#include "arch/estimate.h"
#include "arch/workload/read.h"

namespace {

using namespace weft;

const arch::Kind& tensor_array() { return *arch::find_kind("tensor_array"); }

/// Points as a sweep makes them: a base with some axes set.
std::vector<arch::Values> points() {
  std::vector<arch::Values> result;
  for (const std::int64_t rows : {4, 8, 16, 32, 64, 128}) {
    for (const std::int64_t cols : {4, 8, 16, 32, 64, 128}) {
      for (const char* dataflow : {"weight_stationary", "output_stationary", "input_stationary"}) {
        for (const std::int64_t stages : {0, 1, 2}) {
          result.push_back({{"kind", std::string("tensor_array")},
                            {"name", std::string("my_array")},
                            {"rows", rows},
                            {"cols", cols},
                            {"dataflow", std::string(dataflow)},
                            {"stationary_format", std::string("int8")},
                            {"moving_format", std::string("int8")},
                            {"multiplier_stages", stages},
                            {"stationary_buffers", std::int64_t{2}}});
        }
      }
    }
  }
  return result;
}

std::vector<arch::Config> configs() {
  std::vector<arch::Config> result;
  for (const auto& values : points()) result.push_back(arch::config_of(tensor_array(), values));
  return result;
}

std::vector<arch::LayerShape> resnet50() {
  return arch::layer_shapes(
      {arch::read_workload(WEFT_SOURCE_DIR "/arch/presets/workloads/resnet50.yaml").workload});
}

template <class Items, class Work>
void for_all(benchmark::State& state, const Items& items, Work work) {
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(work(items[i]));
    i = (i + 1) % items.size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

void objections(benchmark::State& state) {
  for_all(state, points(), [](const auto& p) { return arch::objections(tensor_array(), p); });
}
BENCHMARK(objections);

void build(benchmark::State& state) {
  for_all(state, points(), [](const auto& p) { return arch::config_of(tensor_array(), p); });
}
BENCHMARK(build);

void canonical_form(benchmark::State& state) {
  for_all(state, configs(), [](const auto& config) { return arch::canonical_form(config); });
}
BENCHMARK(canonical_form);

void digest(benchmark::State& state) {
  for_all(state, configs(), [](const auto& config) { return arch::digest(config); });
}
BENCHMARK(digest);

void estimate_resnet50(benchmark::State& state) {
  const auto shapes = resnet50();
  for_all(state, configs(), [&](const auto& config) {
    return arch::estimate_total(std::get<arch::TensorArray>(config.design), shapes);
  });
}
BENCHMARK(estimate_resnet50);

/// All of it: legal?, the design, its identity, its estimate.
void whole_point(benchmark::State& state) {
  const auto shapes = resnet50();
  for_all(state, points(), [&](const auto& values) {
    if (!arch::objections(tensor_array(), values).empty()) return arch::Effort{};
    const arch::Config config = arch::config_of(tensor_array(), values);
    benchmark::DoNotOptimize(arch::digest(config));
    return arch::estimate_total(std::get<arch::TensorArray>(config.design), shapes);
  });
}
BENCHMARK(whole_point);

}  // namespace
