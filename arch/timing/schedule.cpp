// SPDX-License-Identifier: Apache-2.0
#include "arch/timing/schedule.h"

#include <algorithm>
#include <iterator>

namespace weft::arch {

Schedule::Schedule(const TensorArray& array)
    : timing_(array),
      rows_(array.rows),
      output_stationary_(array.output_stationary()),
      double_buffered_(array.stationary_buffers == 2),
      // The first switch follows the first load; reset counts as a last step in cycle 0.
      first_origin_(output_stationary_ ? 0 : timing_.load_beats),
      next_origin_(first_origin_) {}

Schedule::Schedule(const TensorArray& array, const std::vector<TileRun>& runs) : Schedule(array) {
  for (const TileRun& run : runs) append(run);
}

void Schedule::append(const TileRun& run) {
  runs_.push_back({tiles_, next_origin_, run});
  tiles_ += run.tiles;
  next_origin_ += run.tiles * period(run.beats);
}

std::int64_t Schedule::period(std::int64_t beats) const {
  if (output_stationary_)
    return double_buffered_ ? std::max<std::int64_t>(beats, rows_) : beats + rows_;
  const std::int64_t reload = timing_.load_beats + timing_.load_guard;
  return double_buffered_ ? std::max(beats, reload) : beats + reload;
}

TileTimes Schedule::tile(std::int64_t index) const {
  const auto after = std::upper_bound(
      runs_.begin(), runs_.end(), index,
      [](std::int64_t tile, const PlacedRun& placed) { return tile < placed.first_tile; });
  const auto placed = std::prev(after);
  const std::int64_t beats = placed->run.beats;
  const std::int64_t begin = placed->origin + (index - placed->first_tile) * period(beats);

  TileTimes times;
  if (output_stationary_) {
    times.last_moving = begin + period(beats);
    const std::int64_t free = begin + 1 + (double_buffered_ ? 0 : rows_);
    times.first_moving = beats == 1 ? times.last_moving : free;
    times.first_load = times.switched = times.first_moving;
    times.first_result = times.last_moving + timing_.latency;
    times.last_result = last_result(begin, beats);
    return times;
  }
  times.switched = times.first_moving = begin;
  times.last_moving = begin + beats - 1;
  times.first_result = begin + timing_.latency;
  times.last_result = last_result(begin, beats);
  if (index == 0) {
    times.first_load = 0;
  } else if (double_buffered_) {
    // The load follows the switch of the tile before, which lies one period of that tile back.
    const bool opens_run = index == placed->first_tile;
    const std::int64_t beats_before = opens_run ? std::prev(placed)->run.beats : beats;
    times.first_load = begin - period(beats_before) + timing_.load_guard;
  } else {
    times.first_load = begin - timing_.load_beats;
  }
  return times;
}

/// Of a tile with its switch (output stationary: the last step before it) in cycle `begin`.
std::int64_t Schedule::last_result(std::int64_t begin, std::int64_t beats) const {
  const std::int64_t last_moving = begin + (output_stationary_ ? period(beats) : beats - 1);
  return last_moving + timing_.latency + (output_stationary_ ? rows_ - 1 : 0);
}

std::int64_t Schedule::cycles_of(const TileRun& run) const {
  return last_result(first_origin_ + (run.tiles - 1) * period(run.beats), run.beats) + 1;
}

std::int64_t Schedule::cycles() const { return tiles_ == 0 ? 0 : tile(tiles_ - 1).last_result + 1; }

}  // namespace weft::arch
