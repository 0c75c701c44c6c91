// SPDX-License-Identifier: Apache-2.0
// The predictor against a register-by-register simulation of the hardware, and against the golden
// arithmetic.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "arch/numerics/array_pass.h"
#include "systemc_models/tensor_array_predictor.h"
#include "systemc_models/tests/array_simulation.h"
#include "systemc_models/tests/random_experiments.h"

namespace weft::models {
namespace {

using testing::any_array;
using testing::any_traffic;
using testing::simulate;

// A tile without elements, for timing.
arch::Tile tile_of(int beats) {
  arch::Tile tile;
  tile.beats = beats;
  return tile;
}

void assert_equal(const Prediction& predicted, const Prediction& simulated) {
  RC_ASSERT(predicted.cols == simulated.cols);
  RC_ASSERT(predicted.column_groups == simulated.column_groups);
  RC_ASSERT(predicted.stationary_cycles == simulated.stationary_cycles);
  RC_ASSERT(predicted.moving_cycles == simulated.moving_cycles);
  RC_ASSERT(predicted.result_cycles == simulated.result_cycles);
  RC_ASSERT(predicted.result_tags == simulated.result_tags);
  RC_ASSERT(predicted.result_last == simulated.result_last);
  RC_ASSERT(predicted.result_data == simulated.result_data);
  RC_ASSERT(predicted.cycles == simulated.cycles);
}

RC_GTEST_PROP(Predictor, EqualsTheHardware, ()) {
  const arch::TensorArray array = any_array();
  const arch::Traffic traffic = any_traffic(array);
  Prediction predicted;
  TensorArrayPredictor(array).predict(traffic, predicted);
  assert_equal(predicted, simulate(array, traffic));
}

RC_GTEST_PROP(Predictor, CountsOnlyWhatMovedBeforeAReset, ()) {
  arch::TensorArray array = any_array();
  array.skew = arch::Skew::internal;  // external: a result may be cut in two
  const arch::Traffic traffic = any_traffic(array);
  const std::uint64_t reset = *rc::gen::inRange<std::uint64_t>(0, 120);
  TensorArrayPredictor predictor(array);
  Prediction predicted;
  predictor.predict(traffic, predicted, reset);
  assert_equal(predicted, simulate(array, traffic, reset));

  // The experiment after the reset knows nothing of the one before.
  const arch::Traffic next = any_traffic(array);
  predictor.predict(next, predicted);
  assert_equal(predicted, simulate(array, next));
}

RC_GTEST_PROP(Predictor, DropsResultsWhoseFirstColumnTheResetCut, ()) {
  arch::TensorArray array = any_array();
  array.skew = arch::Skew::external;
  const arch::Traffic traffic = any_traffic(array);
  const std::uint64_t reset = *rc::gen::inRange<std::uint64_t>(0, 120);
  Prediction cut;
  TensorArrayPredictor(array).predict(traffic, cut, reset);
  const Prediction simulated = simulate(array, traffic, reset);
  RC_ASSERT(cut.stationary_cycles == simulated.stationary_cycles);
  RC_ASSERT(cut.moving_cycles == simulated.moving_cycles);
  RC_ASSERT(cut.result_tags == simulated.result_tags);
  RC_ASSERT(cut.result_last == simulated.result_last);
  RC_ASSERT(cut.cycles == simulated.cycles);
}

RC_GTEST_PROP(Predictor, ComputesTheGoldenArithmetic, ()) {
  const arch::TensorArray array = any_array();
  const arch::Traffic traffic = any_traffic(array);
  Prediction predicted;
  TensorArrayPredictor(array).predict(traffic, predicted);
  std::vector<std::int64_t> golden;
  for (const arch::Tile& tile : traffic.tiles) {
    const arch::Sums results = arch::array_pass(array, tile);
    for (std::int64_t i = 0; i < results.rows(); ++i) {
      golden.insert(golden.end(), results.row(i).begin(), results.row(i).end());
    }
  }
  RC_ASSERT(predicted.result_data == golden);
}

RC_GTEST_PROP(Predictor, StreamsWhatItPredictsAtOnce, ()) {
  const arch::TensorArray array = any_array();
  arch::Traffic traffic = any_traffic(array);
  traffic.stationary_gaps.clear();
  traffic.moving_gaps.clear();
  Prediction whole;
  TensorArrayPredictor(array).predict(traffic, whole);

  TensorArrayPredictor predictor(array, TensorArrayPredictor::Content::timing);
  predictor.start(traffic.ready);
  Prediction part;
  std::vector<std::uint64_t> cycles;
  for (const arch::Tile& tile : traffic.tiles) {
    part.clear();
    predictor.append(tile_of(tile.beats), {}, {}, part);
    cycles.insert(cycles.end(), part.result_cycles.begin(), part.result_cycles.end());
    RC_ASSERT(part.result_data.empty());
  }
  RC_ASSERT(cycles == whole.result_cycles);
  RC_ASSERT(part.cycles == whole.cycles);
}

TEST(Predictor, KeepsTheArrayBusyWithFullTiles) {
  arch::TensorArray array;
  array.accumulator_width = 24;
  TensorArrayPredictor predictor(array, TensorArrayPredictor::Content::timing);
  Prediction prediction;
  for (int i = 0; i < 10; ++i) predictor.append(tile_of(array.rows), {}, {}, prediction);
  ASSERT_EQ(prediction.results(), 160U);
  // From the first result to the last, one every cycle.
  EXPECT_EQ(prediction.result_cycles.back() - prediction.result_cycles.front(), 159U);
  // 16 load beats, then HR + HC + 2 = 15 + 15 + 2 to the first result.
  EXPECT_EQ(prediction.result_cycles.front(), 16U + 32U);
}

TEST(Predictor, RefusesTilesThatDoNotFit) {
  arch::TensorArray array;
  array.accumulator_width = 24;
  std::mt19937_64 random(1);
  const arch::Tile good = testing::random_tile(array, 3, random);
  TensorArrayPredictor predictor(array);
  Prediction prediction;
  arch::Tile tile = good;
  tile.beats = 0;
  EXPECT_THROW(predictor.append(tile, {}, {}, prediction), std::invalid_argument);
  tile = good;
  tile.moving.pop_back();
  EXPECT_THROW(predictor.append(tile, {}, {}, prediction), std::invalid_argument);
  tile = good;
  tile.stationary.push_back(0);
  EXPECT_THROW(predictor.append(tile, {}, {}, prediction), std::invalid_argument);
  tile = good;
  tile.tags.clear();
  EXPECT_THROW(predictor.append(tile, {}, {}, prediction), std::invalid_argument);
  const std::vector<std::uint8_t> never{0, 0};
  EXPECT_THROW(predictor.start(never), std::invalid_argument);
}

}  // namespace
}  // namespace weft::models
