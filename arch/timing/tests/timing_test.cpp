// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arch/timing/acceptance.h"
#include "arch/timing/array_timing.h"
#include "arch/timing/schedule.h"

namespace weft::arch {
namespace {

using Cycle = std::int64_t;

/// The contract page, read literally: which beat is accepted in which array cycle. Independent of
/// the code under test: formulas of the page over the whole history, no running state.
class LiteralContract {
 public:
  LiteralContract(const TensorArray& array, std::vector<int> beats)
      : array_(array), beats_(std::move(beats)), load_(beats_.size()), moving_(beats_.size()) {
    guard_ = 0;
    for (int r = 0; r < array.rows; ++r)
      guard_ = std::max<Cycle>(guard_, h(r) - r / array.load_rows_per_cycle);
    load_beats_ = (array.rows + array.load_rows_per_cycle - 1) / array.load_rows_per_cycle;
  }

  /// Steps array cycles until all tiles are through; `offer(t)` says whether load and moving beats
  /// are offered in cycle t.
  void run(const std::function<std::pair<bool, bool>(Cycle)>& offer) {
    std::size_t load_tile = 0;
    std::size_t moving_tile = 0;
    for (Cycle t = 0; moving_tile < beats_.size(); ++t) {
      const auto [load_offered, moving_offered] = offer(t);
      const bool load = !array_.output_stationary() && load_tile < beats_.size() && load_offered &&
                        may_load(load_tile, t);
      const bool move = moving_offered && may_move(moving_tile, t);
      if (load) load_[load_tile].push_back(t);
      if (move) moving_[moving_tile].push_back(t);
      if (load && static_cast<Cycle>(load_[load_tile].size()) == load_beats_) ++load_tile;
      if (move && static_cast<int>(moving_[moving_tile].size()) == beats_[moving_tile])
        ++moving_tile;
    }
  }

  [[nodiscard]] const std::vector<std::vector<Cycle>>& load() const { return load_; }
  [[nodiscard]] const std::vector<std::vector<Cycle>>& moving() const { return moving_; }

  /// s(j), where everything it depends on is known.
  [[nodiscard]] std::optional<Cycle> switched(int j) const {
    const auto tile = static_cast<std::size_t>(j);
    if (static_cast<Cycle>(load_[tile].size()) < load_beats_ || !last(j - 1)) return std::nullopt;
    return std::max(load_[tile].back() + 1, *last(j - 1) + 1);
  }
  [[nodiscard]] Cycle latency() const {
    return h(array_.rows - 1) + h(array_.cols - 1) + array_.multiplier_stages +
           array_.adder_stages + 2;
  }

 private:
  [[nodiscard]] int h(int i) const { return i / array_.pe_registers; }
  /// e(j)
  [[nodiscard]] std::optional<Cycle> last(int j) const {
    if (j < 0) return array_.output_stationary() ? 0 : -1;
    const auto tile = static_cast<std::size_t>(j);
    if (static_cast<int>(moving_[tile].size()) < beats_[tile]) return std::nullopt;
    return moving_[tile].back();
  }
  [[nodiscard]] bool may_load(std::size_t tile, Cycle t) const {
    if (!load_[tile].empty() || tile == 0) return true;
    const int before = static_cast<int>(tile) - 1;
    if (array_.stationary_buffers == 2) {
      const auto s = switched(before);
      return s && t >= *s + guard_;
    }
    const auto e = last(before);
    return e && t >= *e + 1 + guard_;
  }
  [[nodiscard]] bool may_move(std::size_t tile, Cycle t) const {
    const int before = static_cast<int>(tile) - 1;
    if (array_.output_stationary()) {
      const Cycle e = *last(before);
      if (array_.stationary_buffers == 1) return t >= e + array_.rows + 1;
      const bool is_last = static_cast<int>(moving_[tile].size()) + 1 == beats_[tile];
      return t >= e + 1 && (!is_last || t >= e + array_.rows);
    }
    if (!moving_[tile].empty()) return true;
    if (array_.stationary_buffers == 2) {
      const auto s = switched(static_cast<int>(tile));
      return s && t >= *s;
    }
    return static_cast<Cycle>(load_[tile].size()) == load_beats_ && t >= load_[tile].back() + 1;
  }

  TensorArray array_;
  std::vector<int> beats_;
  std::vector<std::vector<Cycle>> load_;
  std::vector<std::vector<Cycle>> moving_;
  Cycle guard_ = 0;
  Cycle load_beats_ = 0;
};

TensorArray any_array() {
  TensorArray array;
  array.rows = *rc::gen::inRange(1, 14);
  array.cols = *rc::gen::inRange(1, 14);
  array.dataflow = *rc::gen::element(Dataflow::weight_stationary, Dataflow::input_stationary,
                                     Dataflow::output_stationary);
  array.multiplier_stages = *rc::gen::inRange(0, 4);
  array.adder_stages = *rc::gen::inRange(0, 4);
  array.pe_registers = *rc::gen::inRange(1, 15);
  array.stationary_buffers = *rc::gen::inRange(1, 3);
  array.load_rows_per_cycle = *rc::gen::element(1, 2, 4);
  return array;
}

std::vector<TileRun> any_runs() {
  return *rc::gen::nonEmpty(
      rc::gen::resize(5, rc::gen::container<std::vector<TileRun>>(rc::gen::map(
                             rc::gen::pair(rc::gen::inRange(1, 30), rc::gen::inRange(1, 5)),
                             [](const std::pair<int, int>& p) {
                               return TileRun{p.first, p.second};
                             }))));
}

std::vector<int> unroll(const std::vector<TileRun>& runs) {
  std::vector<int> beats;
  for (const TileRun& run : runs) {
    beats.insert(beats.end(), static_cast<std::size_t>(run.tiles), static_cast<int>(run.beats));
  }
  return beats;
}

/// The first difference between the closed form and the contract stepped cycle by cycle, or "".
std::string difference(const TensorArray& array, const std::vector<TileRun>& runs) {
  const std::vector<int> beats = unroll(runs);
  LiteralContract contract(array, beats);
  contract.run([](Cycle) { return std::pair(true, true); });
  const Schedule schedule(array, runs);
  if (schedule.tiles() != static_cast<Cycle>(beats.size())) return "number of tiles";
  for (int j = 0; j < static_cast<int>(beats.size()); ++j) {
    const auto& moving = contract.moving()[static_cast<std::size_t>(j)];
    TileTimes expected;
    expected.first_moving = moving.front();
    expected.last_moving = moving.back();
    if (array.output_stationary()) {
      expected.first_load = expected.switched = moving.front();
      expected.first_result = moving.back() + contract.latency();
      expected.last_result = expected.first_result + array.rows - 1;
    } else {
      expected.first_load = contract.load()[static_cast<std::size_t>(j)].front();
      expected.switched = *contract.switched(j);
      expected.first_result = moving.front() + contract.latency();
      expected.last_result = moving.back() + contract.latency();
    }
    if (schedule.tile(j) != expected) return "times of tile " + std::to_string(j);
    if (j + 1 == schedule.tiles() && schedule.cycles() != expected.last_result + 1) return "cycles";
  }
  return "";
}

TEST(Schedule, EqualsTheContractSteppedCycleByCycleForIdenticalTiles) {
  TensorArray array;
  array.cols = 3;
  array.adder_stages = 1;
  for (const auto dataflow :
       {Dataflow::weight_stationary, Dataflow::input_stationary, Dataflow::output_stationary}) {
    for (const int buffers : {1, 2}) {
      for (const int lanes : {1, 2, 4}) {
        for (const int registers : {1, 2, 3, 9}) {
          for (int rows = 1; rows <= 9; ++rows) {
            array.dataflow = dataflow;
            array.stationary_buffers = buffers;
            array.load_rows_per_cycle = lanes;
            array.pe_registers = registers;
            array.rows = rows;
            // From far fewer to far more vectors than load beats and guard.
            for (int beats = 1; beats <= 20; ++beats) {
              for (const int tiles : {1, 2, 5}) {
                ASSERT_EQ(difference(array, {{beats, tiles}}), "")
                    << "dataflow " << static_cast<int>(dataflow) << " buffers " << buffers
                    << " lanes " << lanes << " registers " << registers << " rows " << rows
                    << " beats " << beats;
              }
            }
          }
        }
      }
    }
  }
}

RC_GTEST_PROP(Schedule, EqualsTheContractSteppedCycleByCycleForMixedRuns, ()) {
  const TensorArray array = any_array();
  RC_ASSERT(difference(array, any_runs()) == "");
}

RC_GTEST_PROP(Schedule, SplittingARunChangesNothing, (bool one_by_one)) {
  const TensorArray array = any_array();
  const TileRun run{*rc::gen::inRange(1, 30), *rc::gen::inRange(2, 9)};
  const Schedule whole(array, {run});
  Schedule parts(array);
  if (one_by_one) {
    for (Cycle j = 0; j < run.tiles; ++j) parts.append({run.beats, 1});
  } else {
    parts.append({run.beats, 1});
    parts.append({run.beats, run.tiles - 1});
  }
  for (Cycle j = 0; j < run.tiles; ++j) RC_ASSERT(whole.tile(j) == parts.tile(j));
}

RC_GTEST_PROP(Acceptance, EqualsTheContractUnderAnyPauses, ()) {
  const TensorArray array = any_array();
  const std::vector<int> beats = unroll(any_runs());
  const auto load_offers = *rc::gen::container<std::vector<bool>>(7, rc::gen::arbitrary<bool>());
  const auto moving_offers = *rc::gen::container<std::vector<bool>>(5, rc::gen::arbitrary<bool>());
  const auto offer = [&](Cycle t) {
    // Every pattern offers something now and then.
    return std::pair(t % 8 == 7 || load_offers[static_cast<std::size_t>(t % 7)],
                     t % 6 == 5 || moving_offers[static_cast<std::size_t>(t % 5)]);
  };
  LiteralContract contract(array, beats);
  contract.run(offer);

  Acceptance acceptance(array);
  std::vector<std::vector<Cycle>> load(beats.size());
  std::vector<std::vector<Cycle>> moving(beats.size());
  const auto load_beats = static_cast<std::size_t>(ArrayTiming(array).load_beats);
  std::size_t load_tile = 0;
  std::size_t tile = 0;
  for (Cycle t = 0; tile < beats.size(); ++t) {
    const auto [load_offered, moving_offered] = offer(t);
    const bool is_last = static_cast<int>(moving[tile].size()) + 1 == beats[tile];
    const bool accepts_load = !array.output_stationary() && load_offered &&
                              load_tile < beats.size() && t >= acceptance.earliest_load();
    const bool accepts_moving = moving_offered && t >= acceptance.earliest_moving(is_last);
    if (accepts_load) {
      acceptance.accept_load(t);
      load[load_tile].push_back(t);
      if (load[load_tile].size() == load_beats) ++load_tile;
    }
    if (accepts_moving) {
      acceptance.accept_moving(t, is_last);
      moving[tile].push_back(t);
      if (is_last) ++tile;
    }
  }
  RC_ASSERT(load == contract.load());
  RC_ASSERT(moving == contract.moving());
}

TEST(ArrayTiming, GuardVanishesWhenVectorsMoveNoSlowerThanLoads) {
  TensorArray array;
  for (array.rows = 1; array.rows <= 256; ++array.rows) {
    for (const int lanes : {1, 2, 4}) {
      array.load_rows_per_cycle = lanes;
      for (array.pe_registers = lanes; array.pe_registers <= 8; ++array.pe_registers) {
        ASSERT_EQ(ArrayTiming(array).load_guard, 0);
      }
    }
  }
}

// A textbook systolic pass takes ROWS to load, then M + (ROWS - 1) + (COLS - 1) wavefronts; ports
// and result registers add two.
TEST(Schedule, OneTileTakesTheTextbookTime) {
  TensorArray array;
  array.rows = 5;
  array.cols = 7;
  const Schedule schedule(array, {{11, 1}});
  EXPECT_EQ(schedule.cycles(), 2 * 5 + 7 + 11 - 2 + 2);
}

TEST(Schedule, DoubleBufferedTilesOfEnoughVectorsFollowWithoutABubble) {
  TensorArray array;
  array.rows = 16;
  const Schedule schedule(array, {{16, 1000}});
  for (Cycle j = 1; j < 1000; ++j) {
    ASSERT_EQ(schedule.tile(j).first_result, schedule.tile(j - 1).last_result + 1);
  }
}

TEST(Schedule, CostsTheSameForAnyNumberOfTiles) {
  TensorArray array;
  const Cycle tiles = Cycle{1} << 50;
  EXPECT_EQ(Schedule(array, {{100, tiles}}).cycles(),
            Schedule(array, {{100, 1}}).cycles() + (tiles - 1) * 100);
}

}  // namespace
}  // namespace weft::arch
