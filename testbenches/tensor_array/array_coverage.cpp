// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/array_coverage.h"

#include <algorithm>
#include <array>
#include <string>

#include "arch/timing/array_timing.h"

namespace weft::verif {
namespace {

// Corners are declared in the order of these enumerators, after the data kinds.
enum Pressures : std::size_t { first_pressure = 0, pressure_count = 8 };
enum PauseKinds : std::size_t { first_pause = pressure_count, pause_count = 6 };
enum Corners : std::size_t {
  size_one = first_pause + pause_count,
  size_below,
  size_equal,
  size_above,
  tiles_back_to_back,
  load_behind_compute,
  result_stalled,
  pauses_and_pressure,
  reset_while_loading,
  reset_while_computing,
  reset_while_draining,
  reset_of_one_cycle,
  reset_of_several_cycles,
  first_data_kind,
};

}  // namespace

ArrayCoverage::ArrayCoverage(const arch::TensorArray& array)
    : unit_(array.output_stationary() ? array.rows : arch::ArrayTiming(array).load_beats),
      output_stationary_(array.output_stationary()) {
  for (std::size_t i = 0; i < pressure_count; ++i) {
    coverage_.declare(std::string("back pressure/") + to_string(static_cast<BackPressure>(i)));
  }
  for (std::size_t i = 0; i < pause_count; ++i) {
    coverage_.declare(std::string("pauses/") + to_string(static_cast<Pauses>(i)));
  }
  const bool doubled = array.stationary_buffers == 2;
  coverage_.declare("tile size/one beat");
  coverage_.declare("tile size/below a load or drain", unit_ > 1);
  coverage_.declare("tile size/as long as a load or drain");
  coverage_.declare("tile size/above");
  coverage_.declare("flow/a vector in every cycle across tiles", doubled);
  coverage_.declare("flow/load behind compute", doubled && !output_stationary_);
  for (const char* name : {"flow/result stalled", "flow/pauses with back pressure",
                           "reset/while loading", "reset/while computing", "reset/while draining",
                           "reset/one cycle", "reset/several cycles"}) {
    coverage_.declare(name);
  }
  for (const NamedTileData& kind : tile_data_kinds()) {
    coverage_.declare("data/" + std::string(kind.name));
  }
}

void ArrayCoverage::record_sizes(const Scenario& scenario) {
  for (const arch::Tile& tile : scenario.traffic.tiles) {
    if (tile.beats == 1) coverage_.hit(size_one);
    coverage_.hit(tile.beats < unit_ ? size_below : tile.beats == unit_ ? size_equal : size_above);
  }
}

void ArrayCoverage::record_flow(const Scenario& scenario, const models::Prediction& prediction) {
  const auto& moving = prediction.moving_cycles;
  const auto& loads = prediction.stationary_cycles;
  std::size_t end = 0;  // moving beats up to and including this tile
  for (std::size_t t = 0; t + 1 < scenario.traffic.tiles.size(); ++t) {
    end += static_cast<std::size_t>(scenario.traffic.tiles[t].beats);
    if (end >= moving.size()) break;
    if (moving[end] == moving[end - 1] + 1) coverage_.hit(tiles_back_to_back);
    if (output_stationary_) continue;
    const std::size_t next_load = (t + 1) * static_cast<std::size_t>(unit_);
    if (next_load < loads.size() && loads[next_load] <= moving[end - 1]) {
      coverage_.hit(load_behind_compute);
    }
  }
  const auto& ready = scenario.traffic.ready;
  const auto stalled = [&](std::uint64_t cycle) {
    return !ready.empty() && cycle > 0 && ready[(cycle - 1) % ready.size()] == 0;
  };
  if (std::any_of(prediction.result_cycles.begin(), prediction.result_cycles.end(), stalled)) {
    coverage_.hit(result_stalled);
  }
  if (scenario.pauses != Pauses::none && scenario.pressure != BackPressure::none) {
    coverage_.hit(pauses_and_pressure);
  }
}

void ArrayCoverage::record(const Scenario& scenario, const models::Prediction& prediction) {
  coverage_.hit(first_pressure + static_cast<std::size_t>(scenario.pressure));
  coverage_.hit(first_pause + static_cast<std::size_t>(scenario.pauses));
  coverage_.hit(first_data_kind + static_cast<std::size_t>(scenario.data));
  coverage_.hit(scenario.reset_length == 1 ? reset_of_one_cycle : reset_of_several_cycles);
  record_sizes(scenario);
  record_flow(scenario, prediction);
  if (scenario.cut) {
    std::size_t beats = 0;
    for (const arch::Tile& tile : scenario.traffic.tiles) {
      beats += static_cast<std::size_t>(tile.beats);
    }
    if (prediction.moving_cycles.empty()) {
      coverage_.hit(reset_while_loading);
    } else {
      coverage_.hit(prediction.moving_cycles.size() < beats ? reset_while_computing
                                                            : reset_while_draining);
    }
  }
}

}  // namespace weft::verif
