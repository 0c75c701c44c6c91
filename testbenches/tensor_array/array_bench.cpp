// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/array_bench.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "arch/timing/array_timing.h"
#include "base/interrupt.h"
#include "testbenches/tensor_array/dut_ports.h"

namespace weft::verif {
namespace {

/// Clock cycles simulated at a time; between them Ctrl-C is noticed and results are compared.
constexpr std::uint64_t quantum = 16384;

/// Moving beats of the tiles that are packed and predicted at a time when streaming.
constexpr std::size_t chunk_beats = 4096;

std::uint64_t macs_of_beat(const arch::TensorArray& array) {
  return static_cast<std::uint64_t>(array.rows) * static_cast<std::uint64_t>(array.cols) *
         static_cast<std::uint64_t>(array.macs_per_pe);
}

std::vector<std::uint32_t> padded(std::vector<std::uint32_t> gaps, std::size_t count) {
  if (!gaps.empty()) gaps.resize(count);
  return gaps;
}

}  // namespace

ArrayBench::ArrayBench(const arch::TensorArray& array, const DutDescription& dut,
                       std::shared_ptr<const DutLibrary> library, std::uint64_t seed)
    : array_(array),
      dut_(std::move(library), dut, static_cast<std::int32_t>(seed & 0x7FFFFFFF)),
      predictor_(array),
      packer_(array, dut),
      scoreboard_(array, dut),
      sources_(2),
      ready_(1),
      elements_(static_cast<std::size_t>(array.cols)),
      result_stride_(beat_layout(dut.sinks[result_sink]).stride),
      settle_(static_cast<std::uint64_t>(arch::ArrayTiming(array).col_hops) + 4) {}

void ArrayBench::run_until(std::uint64_t cycle) {
  while (dut_.now() < cycle) {
    cycles_ += dut_.run(std::min(quantum, cycle - dut_.now()));
    base::check_interrupt();
  }
}

void ArrayBench::run(const Scenario& scenario) {
  for (SourceBeats& source : sources_) source.count = 0;
  scoreboard_.restart();
  expectation_ = &scoreboard_.expect();
  for (const arch::Tile& tile : scenario.traffic.tiles) {
    packer_.append(tile, sources_[stationary_source], sources_[moving_source]);
    expectation_->beats.push_back(tile.beats);
  }
  sources_[stationary_source].gaps =
      padded(scenario.traffic.stationary_gaps, sources_[stationary_source].count);
  sources_[moving_source].gaps =
      padded(scenario.traffic.moving_gaps, sources_[moving_source].count);
  ready_[result_sink] = scenario.traffic.ready;

  std::optional<std::uint64_t> cut;
  predictor_.predict(scenario.traffic, expectation_->prediction);
  if (scenario.cut) {
    cut = static_cast<std::uint64_t>(*scenario.cut *
                                     static_cast<double>(expectation_->prediction.cycles));
    predictor_.predict(scenario.traffic, expectation_->prediction, cut);
  }

  dut_.reset(scenario.reset_length);
  cycles_ += scenario.reset_length;
  dut_.offer(sources_, ready_);
  run_until(cut ? *cut : expectation_->prediction.cycles + settle_);

  scoreboard_.compare_results(dut_.sink(result_sink));
  for (const std::size_t source : {stationary_source, moving_source}) account_accepted(source);
  scoreboard_.finish(cut);
}

void ArrayBench::account_accepted(std::size_t source) {
  const auto accepted = dut_.accepted(source);
  scoreboard_.compare_accepted(source, accepted);
  if (source == moving_source) macs_ += accepted.size() * macs_of_beat(array_);
}

std::unique_ptr<ArrayBench::Chunk> ArrayBench::next_chunk(const NextTile& next_tile,
                                                          std::uint64_t& first_tile) {
  auto chunk = std::make_unique<Chunk>();
  Expectation& expectation = scoreboard_.expect();
  expectation.first_tile = first_tile;
  arch::Tile tile;
  while (chunk->beats[moving_source].count < chunk_beats) {
    if (!next_tile(tile)) {
      chunk->last = true;
      break;
    }
    packer_.append(tile, chunk->beats[stationary_source], chunk->beats[moving_source]);
    predictor_.append(tile, {}, {}, expectation.prediction);
    expectation.beats.push_back(tile.beats);
    ++first_tile;
  }
  chunk->end = expectation.prediction.cycles;
  return chunk;
}

void ArrayBench::take_results(const TakeResult& take_result) {
  const SinkLog& log = dut_.sink(result_sink);
  scoreboard_.compare_results(log);
  for (std::size_t beat = 0; beat < log.count; ++beat) {
    unpack_elements(log.beats.data() + beat * result_stride_, array_.accumulator_width,
                    array_.accumulator_signed(), elements_);
    take_result(elements_);
  }
  dut_.clear_sink(result_sink);
}

std::uint64_t ArrayBench::stream(const NextTile& next_tile, const TakeResult& take_result) {
  scoreboard_.restart();
  predictor_.start({});
  dut_.reset(2);
  cycles_ += 2;

  std::deque<std::unique_ptr<Chunk>> chunks;  // those that a source still needs
  std::array<std::size_t, 2> position{};      // the chunk that each source is at
  std::uint64_t tiles = 0;
  std::uint64_t end = 0;  // when what was predicted so far is over
  const auto prepare = [&] {
    chunks.push_back(next_chunk(next_tile, tiles));
    end = std::max(end, chunks.back()->end);
  };
  const auto refill = [&](std::size_t source) {
    const Chunk& chunk = *chunks[position[source]];
    dut_.refill(source, chunk.beats[source], !chunk.last);
  };

  prepare();
  dut_.offer({}, {});
  for (const std::size_t source : {stationary_source, moving_source}) refill(source);
  // An array that hangs is given up when everything predicted should have happened.
  while (dut_.now() < end + settle_ && scoreboard_.first_mismatch().empty()) {
    cycles_ += dut_.run(std::min(quantum, end + settle_ - dut_.now()));
    base::check_interrupt();
    take_results(take_result);
    for (const std::size_t source : {stationary_source, moving_source}) {
      if (!dut_.dry(source)) continue;
      account_accepted(source);
      if (++position[source] == chunks.size()) prepare();
      refill(source);
    }
    while (position[0] > 0 && position[1] > 0) {
      chunks.pop_front();
      --position[0];
      --position[1];
    }
  }
  for (const std::size_t source : {stationary_source, moving_source}) account_accepted(source);
  scoreboard_.finish();
  return end;
}

}  // namespace weft::verif
