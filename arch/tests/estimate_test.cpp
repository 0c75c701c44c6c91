// SPDX-License-Identifier: Apache-2.0
#include "arch/estimate.h"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "arch/timing/acceptance.h"
#include "arch/timing/schedule.h"
#include "arch/workload/mapping.h"
#include "base/error.h"

namespace weft::arch {
namespace {

/// Walks through a layer cycle by cycle and says where each went.
Effort walk(const TensorArray& array, const Layer& layer) {
  const ArrayTiming timing(array);
  const TileRun run = GemmMapping(array, layer.gemm()).run();
  const std::int64_t beats = run.beats * run.tiles * layer.products();
  const std::int64_t loads =
      array.output_stationary() ? 0 : timing.load_beats * run.tiles * layer.products();
  Effort effort;
  Acceptance acceptance(array);
  std::int64_t moved = 0;
  std::int64_t loaded = 0;
  while (moved < beats) {
    const std::int64_t cycle = effort.cycles.total();
    const bool last = (moved + 1) % run.beats == 0;
    const bool load = loaded < loads && cycle >= acceptance.earliest_load();
    const bool move = cycle >= acceptance.earliest_moving(last);
    if (load) acceptance.accept_load(cycle), ++loaded;
    if (move) acceptance.accept_moving(cycle, last), ++moved;
    if (load && move) ++effort.load_hidden;
    ++(move                        ? effort.cycles.compute
       : array.output_stationary() ? effort.cycles.drain
                                   : effort.cycles.load);
  }
  // The last beat's result: down, across, and for output stationary the rows above the last.
  effort.cycles.fill = timing.row_hops + timing.pipeline_stages + 1;
  effort.cycles.drain += timing.col_hops + 1 + (array.output_stationary() ? array.rows - 1 : 0);
  return effort;
}

/// Calls `visit` with arrays of every kind, from one PE up.
void for_each_array(const std::function<void(const TensorArray&)>& visit) {
  TensorArray array;
  array.cols = 4;
  array.macs_per_pe = 2;
  array.multiplier_stages = 1;
  for (const auto dataflow :
       {Dataflow::weight_stationary, Dataflow::input_stationary, Dataflow::output_stationary}) {
    for (const int buffers : {1, 2}) {
      for (const int lanes : {1, 2, 4}) {
        for (const int registers : {1, 2, 4}) {
          for (const int rows : {1, 2, 5, 9}) {
            array.dataflow = dataflow;
            array.stationary_buffers = buffers;
            array.load_rows_per_cycle = lanes;
            array.pe_registers = registers;
            array.rows = rows;
            visit(array);
          }
        }
      }
    }
  }
}

TEST(Estimate, EveryCycleIsWhereAStepByStepWalkFindsIt) {
  for_each_array([](const TensorArray& array) {
    for (const std::int64_t m : {1, 3, 6, 20}) {
      for (const std::int64_t n : {1, 7, 18}) {
        for (const std::int64_t k : {1, 11, 40}) {
          for (const std::int64_t count : {1, 3}) {
            const Layer layer{"l", Gemm{m, n, k}, count};
            const Effort expected = walk(array, layer);
            const Effort found = estimate(array, {"w", {layer}}).total;
            ASSERT_EQ(found.cycles, expected.cycles);
            ASSERT_EQ(found.load_hidden, expected.load_hidden);
            ASSERT_EQ(found.slots(),
                      found.cycles.total() * array.rows * array.cols * array.macs_per_pe);
            ASSERT_EQ(found.macs, count * m * n * k);
            ASSERT_GE(found.edge_slots, 0);
          }
        }
      }
    }
  });
}

// Worked by hand: 4 x 4, so B = 4, S = 0, LATENCY = 3 + 3 + 2; K = 10 needs 3 tiles, N = 4 one, M
// = 6.
TEST(Estimate, WorkedByHand) {
  TensorArray array;
  array.rows = array.cols = 4;
  const Workload workload{"w", {{"l", Gemm{6, 4, 10}, 1}}};
  const Effort two = estimate(array, workload).total;
  EXPECT_EQ(two.cycles, (CycleParts{4, 4, 18, 4}));
  EXPECT_EQ(two.load_hidden, 8);
  EXPECT_EQ(two.macs, 240);
  EXPECT_EQ(two.edge_slots, 18 * 16 - 240);  // the last tile holds 2 of 4 rows
  EXPECT_EQ(two.idle_slots, 12 * 16);
  EXPECT_DOUBLE_EQ(two.utilization(), 240.0 / (30 * 16));
  array.stationary_buffers = 1;
  EXPECT_EQ(estimate(array, workload).total.cycles, (CycleParts{12, 4, 18, 4}));
  array.dataflow =
      Dataflow::output_stationary;  // two tiles of 4 x 4, 10 steps each, and 4 to shift out
  EXPECT_EQ(estimate(array, workload).total.cycles.total(), 2 * (4 + 10) + 8 + 4);
}

TEST(Estimate, TotalsAreTheSumsOfTheLayersInTableAndJson) {
  TensorArray array;
  array.name = "array";
  const Workload workload{"net", {{"a", Gemm{30, 20, 50}, 2}, {"b", Gemm{1, 100, 7}, 1}}};
  const Estimate result = estimate(array, workload);
  const auto json = to_json(result);
  std::int64_t cycles = 0;
  for (const auto& layer : json["layers"]) cycles += layer["total_cycles"].get<std::int64_t>();
  EXPECT_EQ(json["total_cycles"], cycles);
  EXPECT_EQ(json["macs"], workload.macs());
  EXPECT_EQ(json["workload"], "net");
  EXPECT_EQ(json["layers"][1]["name"], "b");
  EXPECT_DOUBLE_EQ(json["utilization"].get<double>(),
                   static_cast<double>(workload.macs()) / (static_cast<double>(cycles) * 16 * 16));
  const std::string table = format_table(result);
  EXPECT_NE(table.find(std::to_string(cycles)), std::string::npos);
}

TEST(Estimate, RefusesWhatSixtyFourBitsCannotCount) {
  TensorArray array;
  array.rows = array.cols = 256;
  const std::int64_t big = std::int64_t{1} << 29;
  EXPECT_THROW((void)estimate(array, {"w", {{"l", Gemm{1, big, big}, 1}}}), UserError);
  EXPECT_THROW((void)estimate(array, {"w", {{"l", Gemm{1, 1, 1}, Workload::max_macs}}}), UserError);
}

}  // namespace
}  // namespace weft::arch
