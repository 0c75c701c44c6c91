// SPDX-License-Identifier: Apache-2.0
// How fast the tensor array's model is. items_per_second of "timing" is array cycles, of "data"
// MACs.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "arch/numerics/integer.h"
#include "systemc_models/tensor_array_predictor.h"

namespace weft::models {
namespace {

arch::TensorArray array_of(int size, arch::Dataflow dataflow, int bits) {
  arch::TensorArray array;
  array.rows = size;
  array.cols = size;
  array.dataflow = dataflow;
  array.stationary_format.bits = bits;
  array.moving_format.bits = bits;
  array.accumulator_width =
      arch::exact_accumulator_width(array.moving_format, array.stationary_format, 4 * size);
  return array;
}

arch::Traffic traffic_of(const arch::TensorArray& array, int tiles, int beats, bool disturbed) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int32_t> element(-128 >> (array.moving_format.bits < 8), 7);
  const auto elements = [&](int count) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(count));
    for (std::int32_t& value : values) value = element(random);
    return values;
  };
  arch::Traffic traffic;
  for (int i = 0; i < tiles; ++i) {
    arch::Tile tile;
    tile.beats = beats;
    tile.stationary = elements((array.output_stationary() ? beats : array.rows) * array.cols);
    tile.moving = elements(beats * array.rows);
    tile.tags.resize(static_cast<std::size_t>(beats), 1);
    traffic.tiles.push_back(tile);
  }
  if (disturbed) {
    for (int i = 0; i < tiles * beats; ++i) {
      traffic.moving_gaps.push_back(random() % 4 == 0 ? random() % 4 : 0);
      traffic.stationary_gaps.push_back(random() % 4 == 0 ? random() % 4 : 0);
      traffic.ready.push_back(random() % 4 != 0);
    }
    traffic.ready.push_back(1);
  }
  return traffic;
}

void timing(benchmark::State& state, arch::Dataflow dataflow, bool disturbed) {
  const arch::TensorArray array = array_of(static_cast<int>(state.range(0)), dataflow, 8);
  const arch::Traffic traffic = traffic_of(array, 100, static_cast<int>(state.range(0)), disturbed);
  TensorArrayPredictor predictor(array, TensorArrayPredictor::Content::timing);
  Prediction prediction;
  for (auto _ : state) predictor.predict(traffic, prediction);
  state.SetItemsProcessed(static_cast<std::int64_t>(prediction.cycles) * state.iterations());
}

void data(benchmark::State& state, arch::Dataflow dataflow, int bits, arch::Overflow overflow) {
  arch::TensorArray array = array_of(static_cast<int>(state.range(0)), dataflow, bits);
  if (overflow == arch::Overflow::saturate) {
    array.overflow = overflow;
    array.accumulator_width -= 6;
  }
  const arch::Traffic traffic = traffic_of(array, 20, static_cast<int>(2 * state.range(0)), false);
  TensorArrayPredictor predictor(array);
  Prediction prediction;
  for (auto _ : state) predictor.predict(traffic, prediction);
  std::int64_t beats = 0;
  for (const arch::Tile& tile : traffic.tiles) beats += tile.beats;
  state.SetItemsProcessed(beats * array.rows * array.cols * state.iterations());
}

using arch::Dataflow;
using arch::Overflow;

BENCHMARK_CAPTURE(timing, weight_stationary, Dataflow::weight_stationary, false)->Arg(16)->Arg(64);
BENCHMARK_CAPTURE(timing, weight_stationary_disturbed, Dataflow::weight_stationary, true)
    ->Arg(16)
    ->Arg(64);
BENCHMARK_CAPTURE(timing, output_stationary, Dataflow::output_stationary, false)->Arg(64);
BENCHMARK_CAPTURE(timing, output_stationary_disturbed, Dataflow::output_stationary, true)->Arg(64);
BENCHMARK_CAPTURE(data, weight_stationary_int8, Dataflow::weight_stationary, 8, Overflow::wrap)
    ->Arg(16)
    ->Arg(64)
    ->Arg(128);
BENCHMARK_CAPTURE(data, output_stationary_int8, Dataflow::output_stationary, 8, Overflow::wrap)
    ->Arg(16)
    ->Arg(64);
BENCHMARK_CAPTURE(data, weight_stationary_int16, Dataflow::weight_stationary, 16, Overflow::wrap)
    ->Arg(64);
BENCHMARK_CAPTURE(data, weight_stationary_saturating, Dataflow::weight_stationary, 8,
                  Overflow::saturate)
    ->Arg(64);

}  // namespace
}  // namespace weft::models

BENCHMARK_MAIN();
