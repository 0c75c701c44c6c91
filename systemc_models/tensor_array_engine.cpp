// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/tensor_array_engine.h"

#include <utility>

namespace weft::models {
namespace {

std::uint64_t tag_of(std::span<const std::uint64_t> tags, std::size_t beat) {
  return beat < tags.size() ? tags[beat] : 0;
}

}  // namespace

TensorArrayEngine::TensorArrayEngine(const arch::TensorArray& array)
    : rows_(static_cast<std::size_t>(array.rows)),
      cols_(static_cast<std::size_t>(array.cols)),
      macs_(static_cast<std::size_t>(array.macs_per_pe)),
      timing_(array),
      function_(array) {}

TensorArrayEngine::Cycles TensorArrayEngine::load(std::span<const std::int32_t> stationary,
                                                  std::uint64_t offered) {
  waiting_tiles_.emplace_back(stationary.begin(), stationary.end());
  Cycles accepted(static_cast<std::size_t>(timing_.constants().load_beats));
  for (std::uint64_t& cycle : accepted) {
    cycle = timing_.load(offered);
    offered = cycle + 1;
  }
  return accepted;
}

TensorArrayEngine::Cycles TensorArrayEngine::multiply(std::span<const std::int32_t> moving,
                                                      std::span<const std::uint64_t> tags,
                                                      bool last, std::uint64_t offered) {
  if (!tile_in_use_) {
    function_.load(waiting_tiles_.front());
    waiting_tiles_.pop_front();
  }
  tile_in_use_ = !last;

  Cycles accepted(moving.size() / (rows_ * macs_));
  std::vector<std::int64_t> data(accepted.size() * cols_);
  function_.multiply(moving, data.data());
  for (std::size_t i = 0; i < accepted.size(); ++i) {
    const bool last_of_tile = last && i + 1 == accepted.size();
    const auto [array_cycle, clock_cycle] = timing_.multiply(offered, last_of_tile);
    accepted[i] = clock_cycle;
    offered = clock_cycle + 1;
    add_result(std::span(data).subspan(i * cols_, cols_), array_cycle, 0, tag_of(tags, i),
               last_of_tile);
  }
  return accepted;
}

TensorArrayEngine::Cycles TensorArrayEngine::step(std::span<const std::int32_t> beats,
                                                  std::span<const std::uint64_t> tags, bool last,
                                                  std::uint64_t offered) {
  const std::size_t moving_size = rows_ * macs_;
  const std::size_t beat_size = moving_size + cols_ * macs_;
  Cycles accepted(beats.size() / beat_size);
  TensorArrayTiming::Acceptance acceptance{};
  for (std::size_t i = 0; i < accepted.size(); ++i) {
    const auto beat = beats.subspan(i * beat_size, beat_size);
    const auto moving = beat.first(moving_size);
    const auto stationary = beat.subspan(moving_size);
    step_moving_.insert(step_moving_.end(), moving.begin(), moving.end());
    step_stationary_.insert(step_stationary_.end(), stationary.begin(), stationary.end());
    acceptance = timing_.multiply(offered, last && i + 1 == accepted.size());
    accepted[i] = acceptance.clock_cycle;
    offered = acceptance.clock_cycle + 1;
  }
  if (!last) return accepted;

  std::vector<std::int64_t> data(rows_ * cols_);
  function_.multiply_steps(step_stationary_, step_moving_, data.data());
  step_stationary_.clear();
  step_moving_.clear();
  for (std::size_t row = 0; row < rows_; ++row) {
    add_result(std::span(data).subspan(row * cols_, cols_), acceptance.array_cycle, row,
               tag_of(tags, accepted.size() - 1), row + 1 == rows_);
  }
  return accepted;
}

arch::ResultBeat TensorArrayEngine::take() {
  arch::ResultBeat result = std::move(results_.front());
  results_.pop_front();
  return result;
}

void TensorArrayEngine::add_result(std::span<const std::int64_t> data, std::uint64_t accepted,
                                   std::uint64_t index, std::uint64_t tag, bool last) {
  arch::ResultBeat result;
  result.cycle = timing_.result(accepted, index, 0);
  result.tag = tag;
  result.last = last;
  result.data.assign(data.begin(), data.end());
  results_.push_back(std::move(result));
}

}  // namespace weft::models
