// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/array_scoreboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "arch/timing/array_timing.h"
#include "testbenches/tensor_array/beat_packing.h"
#include "testbenches/tensor_array/dut_ports.h"

namespace weft::verif {
namespace {

constexpr std::array source_names = {"stationary", "moving"};

std::size_t result_count(const Expectation& expectation) {
  return expectation.prediction.results();
}
std::size_t stationary_count(const Expectation& expectation) {
  return expectation.prediction.stationary_cycles.size();
}
std::size_t moving_count(const Expectation& expectation) {
  return expectation.prediction.moving_cycles.size();
}

}  // namespace

void Expectation::clear() {
  prediction.clear();
  beats.clear();
  first_tile = 0;
}

ArrayScoreboard::ArrayScoreboard(const arch::TensorArray& array, const DutDescription& dut)
    : array_(array),
      load_beats_(static_cast<std::size_t>(arch::ArrayTiming(array).load_beats)),
      tile_results_(array.output_stationary() ? static_cast<std::size_t>(array.rows) : 0),
      result_(beat_layout(dut.sinks[result_sink])),
      groups_(static_cast<std::size_t>(lane_groups(dut.sinks[result_sink]))),
      packed_(static_cast<std::size_t>(array.cols) *
                  static_cast<std::size_t>(array.accumulator_width) / 8 +
              8) {}

void ArrayScoreboard::restart() {
  while (!expected_.empty()) {
    spare_.push_back(std::move(expected_.front()));
    expected_.pop_front();
  }
  results_ = accepted_[0] = accepted_[1] = {};
  faults_ = 0;
}

Expectation& ArrayScoreboard::expect() {
  if (spare_.empty()) spare_.push_back(std::make_unique<Expectation>());
  expected_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  expected_.back()->clear();
  return *expected_.back();
}

const Expectation* ArrayScoreboard::current(Cursor& cursor,
                                            std::size_t (*size)(const Expectation&)) {
  while (cursor.expectation < expected_.size() &&
         cursor.index == size(*expected_[cursor.expectation])) {
    ++cursor.expectation;
    cursor.index = 0;
  }
  return cursor.expectation < expected_.size() ? expected_[cursor.expectation].get() : nullptr;
}

void ArrayScoreboard::drop_compared() {
  while (!expected_.empty() && results_.expectation > 0 && accepted_[0].expectation > 0 &&
         accepted_[1].expectation > 0) {
    spare_.push_back(std::move(expected_.front()));
    expected_.pop_front();
    --results_.expectation;
    --accepted_[0].expectation;
    --accepted_[1].expectation;
  }
}

void ArrayScoreboard::mismatch(std::uint64_t& counter, const std::string& text) {
  ++counter;
  if (first_mismatch_.empty()) first_mismatch_ = text;
}

ArrayScoreboard::Place ArrayScoreboard::place(const Expectation& expectation, std::size_t beat,
                                              std::size_t beats_of_tile) {
  std::uint64_t tile = expectation.first_tile;
  for (const int own : expectation.beats) {
    const std::size_t beats = beats_of_tile != 0 ? beats_of_tile : static_cast<std::size_t>(own);
    if (beat < beats) break;
    beat -= beats;
    ++tile;
  }
  return {tile, beat};
}

void ArrayScoreboard::report_elements(const Expectation& expectation, std::size_t index,
                                      const std::uint8_t* got, std::uint64_t cycle) {
  const auto cols = static_cast<std::size_t>(array_.cols);
  const Place at = place(expectation, index, tile_results_);
  std::vector<std::int64_t> values(cols);
  unpack_elements(got, array_.accumulator_width, array_.accumulator_signed(), values);
  for (std::size_t c = 0; c < cols; ++c) {
    const std::int64_t value = values[c];
    const std::int64_t expected = expectation.prediction.result_data[index * cols + c];
    if (value == expected) continue;
    mismatch(
        totals_.mismatches,
        fmt::format("tile {}, result vector {}, element {}: expected {}, got {}, in clock cycle {}",
                    at.tile, at.beat, c, expected, value, cycle));
  }
}

void ArrayScoreboard::compare_result(const Expectation& expectation, std::size_t index,
                                     const SinkLog& log, std::size_t beat) {
  const models::Prediction& prediction = expectation.prediction;
  const std::uint8_t* got = log.beats.data() + beat * result_.stride;
  const std::uint64_t* cycles = log.cycles.data() + beat * groups_;
  const auto cols = static_cast<std::size_t>(array_.cols);
  const auto bits = cols * static_cast<std::size_t>(array_.accumulator_width);

  pack_elements(std::span(prediction.result_data).subspan(index * cols, cols),
                array_.accumulator_width, packed_.data());
  if (std::memcmp(packed_.data(), got, (bits + 7) / 8) != 0) {
    report_elements(expectation, index, got, cycles[0]);
  }
  totals_.elements += cols;

  std::uint64_t tag = 0;
  std::memcpy(&tag, got + result_.fields[tag_field].offset, result_.fields[tag_field].bytes);
  const std::uint8_t last = got[result_.fields[last_field].offset];
  const bool cycles_agree =
      std::equal(cycles, cycles + groups_, prediction.result_cycles.data() + index * groups_);
  if (tag == prediction.result_tags[index] && last == prediction.result_last[index] &&
      cycles_agree) {
    return;
  }
  const Place at = place(expectation, index, tile_results_);
  const std::string where =
      fmt::format("tile {}, result vector {}, in clock cycle {}", at.tile, at.beat, cycles[0]);
  if (tag != prediction.result_tags[index]) {
    mismatch(totals_.mismatches,
             fmt::format("{}: expected tag {}, got {}", where, prediction.result_tags[index], tag));
  }
  if (last != prediction.result_last[index]) {
    mismatch(totals_.mismatches, fmt::format("{}: expected last {}, got {}", where,
                                             prediction.result_last[index], last));
  }
  for (std::size_t g = 0; g < groups_ && !cycles_agree; ++g) {
    const std::uint64_t expected = prediction.result_cycles[index * groups_ + g];
    if (cycles[g] == expected) continue;
    mismatch(totals_.cycle_mismatches,
             fmt::format("tile {}, result vector {}{}: expected in clock cycle {}, came in {}",
                         at.tile, at.beat, groups_ > 1 ? fmt::format(", column group {}", g) : "",
                         expected, cycles[g]));
  }
}

void ArrayScoreboard::compare_results(const SinkLog& log) {
  for (std::size_t beat = 0; beat < log.count; ++beat) {
    const Expectation* expectation = current(results_, result_count);
    if (expectation == nullptr) {
      mismatch(totals_.mismatches,
               fmt::format("a result too many, in clock cycle {}", log.cycles[beat * groups_]));
      continue;
    }
    compare_result(*expectation, results_.index, log, beat);
    ++results_.index;
  }
  if (log.faults > faults_) {
    faults_ = log.faults;
    mismatch(totals_.mismatches,
             fmt::format("the result port, in clock cycle {}: {}", log.fault_cycle, log.fault));
  }
  static_cast<void>(current(results_, result_count));
  drop_compared();
}

void ArrayScoreboard::compare_accepted(std::size_t source, std::span<const std::uint64_t> cycles) {
  const bool stationary = source == stationary_source;
  const auto size = stationary ? stationary_count : moving_count;
  Cursor& cursor = accepted_[source];
  for (std::size_t i = 0; i < cycles.size();) {
    const Expectation* expectation = current(cursor, size);
    if (expectation == nullptr) {
      mismatch(totals_.cycle_mismatches,
               fmt::format("a {} beat too many was accepted, in clock cycle {}",
                           source_names[source], cycles[i]));
      ++i;
      continue;
    }
    const auto& expected = stationary ? expectation->prediction.stationary_cycles
                                      : expectation->prediction.moving_cycles;
    for (; i < cycles.size() && cursor.index < expected.size(); ++i, ++cursor.index) {
      if (cycles[i] == expected[cursor.index]) continue;
      const std::size_t beats = stationary ? load_beats_ : 0;
      const Place at = place(*expectation, cursor.index, beats);
      mismatch(
          totals_.cycle_mismatches,
          fmt::format(
              "tile {}, {} beat {}: expected to be accepted in clock cycle {}, was accepted in {}",
              at.tile, source_names[source], at.beat, expected[cursor.index], cycles[i]));
    }
  }
  static_cast<void>(current(cursor, size));
  drop_compared();
}

void ArrayScoreboard::finish(std::optional<std::uint64_t> cut) {
  for (const Expectation* e; (e = current(results_, result_count)) != nullptr; ++results_.index) {
    const std::uint64_t* cycles = e->prediction.result_cycles.data() + results_.index * groups_;
    if (cut && cycles[groups_ - 1] >= *cut) continue;
    const Place at = place(*e, results_.index, tile_results_);
    mismatch(totals_.mismatches,
             fmt::format("tile {}, result vector {} never came; expected in clock cycle {}",
                         at.tile, at.beat, cycles[0]));
  }
  for (std::size_t source = 0; source < 2; ++source) {
    const auto size = source == stationary_source ? stationary_count : moving_count;
    for (Cursor& cursor = accepted_[source]; current(cursor, size) != nullptr; ++cursor.index) {
      mismatch(totals_.cycle_mismatches,
               fmt::format("a {} beat was never accepted", source_names[source]));
    }
  }
}

}  // namespace weft::verif
