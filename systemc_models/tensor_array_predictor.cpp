// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/tensor_array_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "systemc_models/tensor_array_function.h"
#include "systemc_models/tensor_array_timing.h"

namespace weft::models {
namespace {

using Gaps = std::span<const std::uint32_t>;

std::uint64_t gap(Gaps gaps, std::size_t beat) { return beat < gaps.size() ? gaps[beat] : 0; }

// The part of a traffic's gaps that belongs to `count` beats from `begin` on.
Gaps slice(const std::vector<std::uint32_t>& gaps, std::size_t begin, std::size_t count) {
  if (begin >= gaps.size()) return {};
  return Gaps(gaps).subspan(begin, std::min(count, gaps.size() - begin));
}

void expect_size(const char* what, std::size_t found, std::size_t expected) {
  if (found == expected) return;
  throw std::invalid_argument(
      fmt::format("tile: {} has {} entries, the array needs {}", what, found, expected));
}

// Drops the beats that move in `cycle` or later.
void truncate(Prediction& out, std::uint64_t cycle) {
  const auto before = [cycle](const std::vector<std::uint64_t>& cycles) {
    return static_cast<std::size_t>(std::ranges::lower_bound(cycles, cycle) - cycles.begin());
  };
  out.stationary_cycles.resize(before(out.stationary_cycles));
  out.moving_cycles.resize(before(out.moving_cycles));
  const auto groups = static_cast<std::size_t>(out.column_groups);
  std::size_t results = 0;  // whose column 0 moved
  while (results < out.results() && out.result_cycles[results * groups] < cycle) ++results;
  out.result_cycles.resize(results * groups);
  out.result_tags.resize(results);
  out.result_last.resize(results);
  if (!out.result_data.empty()) {
    out.result_data.resize(results * static_cast<std::size_t>(out.cols));
  }
  out.cycles = std::min(out.cycles, cycle);
}

}  // namespace

arch::ResultBeat Prediction::result(std::size_t i) const {
  arch::ResultBeat beat;
  beat.cycle = result_cycles[i * static_cast<std::size_t>(column_groups)];
  beat.tag = result_tags[i];
  beat.last = result_last[i] != 0;
  if (!result_data.empty()) {
    const auto begin = result_data.begin() + static_cast<std::ptrdiff_t>(i) * cols;
    beat.data.assign(begin, begin + cols);
  }
  return beat;
}

void Prediction::clear() {
  stationary_cycles.clear();
  moving_cycles.clear();
  result_cycles.clear();
  result_tags.clear();
  result_last.clear();
  result_data.clear();
  cycles = 0;
}

struct TensorArrayPredictor::State {
  State(const arch::TensorArray& a, Content c)
      : array(a), content(c), timing(a), function(a), groups(timing.column_groups()) {}

  void start(std::span<const std::uint8_t> ready) {
    timing.start(ready);
    next_stationary = 0;
    next_moving = 0;
  }

  [[nodiscard]] std::size_t load_beats() const {
    return static_cast<std::size_t>(timing.constants().load_beats);
  }

  void check(const arch::Tile& tile) const;
  void append(const arch::Tile& tile, Gaps stationary_gaps, Gaps moving_gaps, Prediction& out);
  void load(Gaps gaps, Prediction& out);
  void multiply(std::size_t beats, Gaps gaps, Prediction& out);
  void step(std::size_t steps, Gaps stationary_gaps, Gaps moving_gaps, Prediction& out);
  void label(const arch::Tile& tile, Prediction& out) const;
  void compute(const arch::Tile& tile, Prediction& out);

  arch::TensorArray array;
  Content content;
  TensorArrayTiming timing;
  TensorArrayFunction function;
  std::size_t groups;
  // The first clock cycle in which the source of a stream can offer its next beat, with gap 0.
  std::uint64_t next_stationary = 0;
  std::uint64_t next_moving = 0;
};

void TensorArrayPredictor::State::check(const arch::Tile& tile) const {
  if (tile.beats < 1) throw std::invalid_argument("tile: it has no moving beats");
  if (content == Content::timing) return;
  const auto beats = static_cast<std::size_t>(tile.beats);
  const auto rows = static_cast<std::size_t>(array.rows);
  const auto cols = static_cast<std::size_t>(array.cols);
  const auto macs = static_cast<std::size_t>(array.macs_per_pe);
  expect_size("stationary", tile.stationary.size(),
              (array.output_stationary() ? beats : rows) * cols * macs);
  expect_size("moving", tile.moving.size(), beats * rows * macs);
  expect_size("tags", tile.tags.size(), beats);
}

void TensorArrayPredictor::State::append(const arch::Tile& tile, Gaps stationary_gaps,
                                         Gaps moving_gaps, Prediction& out) {
  check(tile);
  out.cols = array.cols;
  out.column_groups = static_cast<int>(groups);
  const auto beats = static_cast<std::size_t>(tile.beats);
  if (array.output_stationary()) {
    step(beats, stationary_gaps, moving_gaps, out);
  } else {
    load(stationary_gaps, out);
    multiply(beats, moving_gaps, out);
  }
  out.cycles = out.result_cycles.back() + 1;
  label(tile, out);
  if (content == Content::data) compute(tile, out);
  timing.forget();
}

void TensorArrayPredictor::State::load(Gaps gaps, Prediction& out) {
  const std::size_t first = out.stationary_cycles.size();
  out.stationary_cycles.resize(first + load_beats());
  const auto accepted = std::span(out.stationary_cycles).subspan(first);
  if (timing.always_ready() && gaps.empty()) {
    std::iota(accepted.begin(), accepted.end(), timing.load_run(next_stationary));
    next_stationary = accepted.back() + 1;
    return;
  }
  for (std::size_t beat = 0; beat < accepted.size(); ++beat) {
    accepted[beat] = timing.load(next_stationary + gap(gaps, beat));
    next_stationary = accepted[beat] + 1;
  }
}

void TensorArrayPredictor::State::multiply(std::size_t beats, Gaps gaps, Prediction& out) {
  const std::size_t first = out.moving_cycles.size();
  out.moving_cycles.resize(first + beats);
  std::uint64_t* accepted = out.moving_cycles.data() + first;
  const std::size_t first_result = out.result_cycles.size();
  out.result_cycles.resize(first_result + beats * groups);
  std::uint64_t* result = out.result_cycles.data() + first_result;

  std::size_t beat = 0;
  if (timing.always_ready() && gaps.empty() && beats > 1) {
    // Nothing holds up the stream once it flows.
    const std::uint64_t cycle = timing.multiply_run(next_moving, beats - 1);
    const std::uint64_t result_cycle = timing.result(cycle, 0, 0);
    for (; beat < beats - 1; ++beat) {
      accepted[beat] = cycle + beat;
      for (std::size_t g = 0; g < groups; ++g) *result++ = result_cycle + beat + g;
    }
    next_moving = cycle + beat;
  }
  for (; beat < beats; ++beat) {
    const auto [array_cycle, clock_cycle] =
        timing.multiply(next_moving + gap(gaps, beat), beat + 1 == beats);
    accepted[beat] = clock_cycle;
    next_moving = clock_cycle + 1;
    for (std::size_t g = 0; g < groups; ++g) *result++ = timing.result(array_cycle, 0, g);
  }
}

void TensorArrayPredictor::State::step(std::size_t steps, Gaps stationary_gaps, Gaps moving_gaps,
                                       Prediction& out) {
  const std::size_t first = out.moving_cycles.size();
  out.moving_cycles.resize(first + steps);
  const auto cycles = std::span(out.moving_cycles).subspan(first);
  std::size_t i = 0;
  if (timing.always_ready() && stationary_gaps.empty() && moving_gaps.empty() && steps > 1) {
    i = steps - 1;
    std::iota(cycles.begin(), cycles.end() - 1, timing.multiply_run(next_moving, i));
    next_moving = cycles[i - 1] + 1;
  }
  TensorArrayTiming::Acceptance accepted{};
  for (; i < steps; ++i) {
    const std::uint64_t wait = std::max(gap(stationary_gaps, i), gap(moving_gaps, i));
    accepted = timing.multiply(next_moving + wait, i + 1 == steps);
    cycles[i] = accepted.clock_cycle;
    next_moving = accepted.clock_cycle + 1;
  }
  out.stationary_cycles.insert(out.stationary_cycles.end(), cycles.begin(), cycles.end());
  const auto rows = static_cast<std::size_t>(array.rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t g = 0; g < groups; ++g) {
      out.result_cycles.push_back(timing.result(accepted.array_cycle, row, g));
    }
  }
}

void TensorArrayPredictor::State::label(const arch::Tile& tile, Prediction& out) const {
  const std::size_t results = out.result_cycles.size() / groups - out.result_tags.size();
  if (array.output_stationary()) {
    out.result_tags.insert(out.result_tags.end(), results,
                           tile.tags.empty() ? 0 : tile.tags.back());
  } else {
    out.result_tags.insert(out.result_tags.end(), tile.tags.begin(), tile.tags.end());
    out.result_tags.resize(out.result_cycles.size() / groups);
  }
  out.result_last.resize(out.result_tags.size());
  out.result_last.back() = 1;
}

void TensorArrayPredictor::State::compute(const arch::Tile& tile, Prediction& out) {
  const std::size_t first = out.result_data.size();
  out.result_data.resize(out.result_tags.size() * static_cast<std::size_t>(array.cols));
  std::int64_t* results = out.result_data.data() + first;
  if (array.output_stationary()) {
    function.multiply_steps(tile.stationary, tile.moving, results);
  } else {
    function.load(tile.stationary);
    function.multiply(tile.moving, results);
  }
}

TensorArrayPredictor::TensorArrayPredictor(const arch::TensorArray& array, Content content)
    : state_(std::make_unique<State>(array, content)) {
  start({});
}

TensorArrayPredictor::~TensorArrayPredictor() = default;
TensorArrayPredictor::TensorArrayPredictor(TensorArrayPredictor&&) noexcept = default;
TensorArrayPredictor& TensorArrayPredictor::operator=(TensorArrayPredictor&&) noexcept = default;

void TensorArrayPredictor::start(std::span<const std::uint8_t> ready) { state_->start(ready); }

void TensorArrayPredictor::append(const arch::Tile& tile,
                                  std::span<const std::uint32_t> stationary_gaps,
                                  std::span<const std::uint32_t> moving_gaps, Prediction& out) {
  state_->append(tile, stationary_gaps, moving_gaps, out);
}

void TensorArrayPredictor::predict(const arch::Traffic& traffic, Prediction& out,
                                   std::optional<std::uint64_t> reset_cycle) {
  out.clear();
  start(traffic.ready);
  std::size_t stationary_beat = 0;
  std::size_t moving_beat = 0;
  for (const arch::Tile& tile : traffic.tiles) {
    const auto moving_beats = static_cast<std::size_t>(std::max(tile.beats, 0));
    const std::size_t stationary_beats =
        state_->array.output_stationary() ? moving_beats : state_->load_beats();
    append(tile, slice(traffic.stationary_gaps, stationary_beat, stationary_beats),
           slice(traffic.moving_gaps, moving_beat, moving_beats), out);
    // Nothing of a tile comes before its first stationary beat.
    if (reset_cycle && out.stationary_cycles[stationary_beat] >= *reset_cycle) break;
    stationary_beat += stationary_beats;
    moving_beat += moving_beats;
  }
  if (reset_cycle) truncate(out, *reset_cycle);
}

}  // namespace weft::models
