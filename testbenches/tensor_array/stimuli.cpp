// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/stimuli.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "arch/timing/array_timing.h"

namespace weft::verif {

const char* to_string(BackPressure pressure) {
  switch (pressure) {
    case BackPressure::none:
      return "none";
    case BackPressure::toggle_first:
      return "toggling, ready first";
    case BackPressure::toggle_second:
      return "toggling, stalled first";
    case BackPressure::two_of_three:
      return "ready two cycles of three";
    case BackPressure::one_of_three:
      return "ready one cycle of three";
    case BackPressure::long_stalls:
      return "long stalls";
    case BackPressure::single_pulses:
      return "single pulses";
    case BackPressure::random:
      return "random";
  }
  return "";
}

const char* to_string(Pauses pauses) {
  switch (pauses) {
    case Pauses::none:
      return "none";
    case Pauses::moving_late:
      return "moving late";
    case Pauses::stationary_late:
      return "stationary late";
    case Pauses::stationary_slow:
      return "stationary slow";
    case Pauses::moving_slow:
      return "moving slow";
    case Pauses::random:
      return "random";
  }
  return "";
}

namespace {

constexpr std::initializer_list<BackPressure> pressures = {
    BackPressure::toggle_first, BackPressure::toggle_second, BackPressure::two_of_three,
    BackPressure::one_of_three, BackPressure::long_stalls,   BackPressure::single_pulses,
    BackPressure::random};

constexpr std::initializer_list<Pauses> all_pauses = {Pauses::moving_late, Pauses::stationary_late,
                                                      Pauses::stationary_slow, Pauses::moving_slow,
                                                      Pauses::random};

/// Clock cycles that a streaming scenario should last: long enough that fill, drain and reset weigh
/// little, short enough that its data stays in the processor's cache.
constexpr int streaming_cycles = 4096;

bool expensive(BackPressure pressure) {
  return pressure == BackPressure::long_stalls || pressure == BackPressure::single_pulses;
}

}  // namespace

Stimuli::Stimuli(const arch::TensorArray& array, std::uint64_t seed) : array_(array), seed_(seed) {
  const arch::ArrayTiming timing(array);
  unit_ = array.output_stationary() ? array.rows : timing.load_beats;
  latency_ = timing.latency;
  plan_data();
  plan_sizes();
  plan_flow();
  plan_resets();
}

void Stimuli::plan_data() {
  for (const NamedTileData& kind : tile_data_kinds()) {
    Plan plan;
    plan.name = fmt::format("data: {}", kind.name);
    plan.data = kind.data;
    plan.beats = {unit_ + 1, 2};
    directed_.push_back(plan);
  }
}

void Stimuli::plan_sizes() {
  const std::array sizes = {1, 2, unit_ - 1, unit_, unit_ + 1, array_.rows + 1, 2 * unit_ + 3};
  for (const int size : sizes) {
    Plan plan;
    plan.name = fmt::format("size: tiles of {}", std::max(1, size));
    plan.beats.assign(4, std::max(1, size));
    directed_.push_back(plan);
  }
  Plan mixed;
  mixed.name = "size: short and long tiles in turn";
  mixed.beats = {1, 2 * unit_ + 1, 1, 1, unit_ + 2, 2};
  directed_.push_back(mixed);
}

void Stimuli::plan_flow() {
  for (const BackPressure pressure : pressures) {
    Plan plan;
    plan.name = fmt::format("back pressure: {}", to_string(pressure));
    plan.pressure = pressure;
    if (expensive(pressure)) {
      plan.beats = {2, 1, 3};
    } else {
      plan.beats = {unit_, 1, unit_ + 1};
    }
    directed_.push_back(plan);
  }
  for (const Pauses pauses : all_pauses) {
    Plan plan;
    plan.name = fmt::format("pauses: {}", to_string(pauses));
    plan.pauses = pauses;
    plan.beats = {3, 1, std::min(unit_ + 1, 16)};
    directed_.push_back(plan);
    plan.name += ", toggling ready";
    plan.pressure = BackPressure::toggle_second;
    directed_.push_back(plan);
  }
}

void Stimuli::plan_resets() {
  constexpr std::array cuts = {0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95};
  constexpr std::array<std::uint64_t, 7> lengths = {1, 2, 3, 1, 7, 1, 20};
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    Plan plan;
    plan.name = fmt::format("reset: after {:.0f} % of the cycles", 100 * cuts[i]);
    plan.beats = {unit_ + 1, 3, unit_};
    plan.cut = cuts[i];
    plan.pressure = i % 2 == 0 ? BackPressure::none : BackPressure::random;
    directed_.push_back(plan);

    // Whatever the reset left behind must not show in what follows.
    Plan after;
    after.name = fmt::format("reset: {} cycle{}, then anew", lengths[i], lengths[i] > 1 ? "s" : "");
    after.beats = {2, unit_ + 1};
    after.reset_length = lengths[i];
    directed_.push_back(after);
  }
}

int Stimuli::some_beats(Random& random) const {
  switch (random.below(6)) {
    case 0:
      return 1;
    case 1:
      return std::max(1, unit_ - 1);
    case 2:
      return unit_;
    case 3:
      return unit_ + 1;
    default:
      return static_cast<int>(random.between(1, 2 * unit_ + 4));
  }
}

Stimuli::Plan Stimuli::random_plan(std::uint64_t index, Random& random) const {
  Plan plan;
  plan.reset_length = 1 + random.below(3);
  if ((index - directed_.size()) % 4 != 3) {
    plan.name = "random: streaming";
    const int longest = 4 * unit_;
    for (int beats = 0; beats < streaming_cycles && plan.beats.size() < 256;) {
      plan.beats.push_back(static_cast<int>(random.between(unit_, std::max(longest, 8))));
      beats += plan.beats.back();
    }
    return plan;
  }
  plan.name = "random: stress";
  if (random.chance(50)) {
    const auto& kinds = tile_data_kinds();
    plan.data = kinds[random.below(kinds.size())].data;
  }
  if (random.chance(75)) plan.pressure = random.pick(pressures);
  if (random.chance(60)) plan.pauses = random.pick(all_pauses);
  const std::uint64_t tiles = 1 + random.below(expensive(plan.pressure) ? 2 : 8);
  for (std::uint64_t i = 0; i < tiles; ++i) {
    plan.beats.push_back(expensive(plan.pressure) ? 1 + static_cast<int>(random.below(4))
                                                  : some_beats(random));
  }
  if (random.chance(30)) plan.cut = static_cast<double>(random.below(1000)) / 1000;
  return plan;
}

std::vector<std::uint8_t> Stimuli::ready_pattern(BackPressure pressure, Random& random) const {
  const auto stalls_then = [&](int stall, int flow) {
    std::vector<std::uint8_t> pattern(static_cast<std::size_t>(stall), 0);
    pattern.insert(pattern.end(), static_cast<std::size_t>(flow), 1);
    return pattern;
  };
  switch (pressure) {
    case BackPressure::none:
      return {};
    case BackPressure::toggle_first:
      return {1, 0};
    case BackPressure::toggle_second:
      return {0, 1};
    case BackPressure::two_of_three:
      return {1, 1, 0};
    case BackPressure::one_of_three:
      return {0, 0, 1};
    case BackPressure::long_stalls:
      return stalls_then(std::min(latency_ + 3, 200), 5);
    case BackPressure::single_pulses:
      return stalls_then(std::min(latency_ / 2 + 2, 50), 1);
    case BackPressure::random:
      break;
  }
  std::vector<std::uint8_t> pattern(97);
  const unsigned percent = random.pick({20U, 50U, 80U});
  for (std::uint8_t& ready : pattern) ready = random.chance(percent) ? 1 : 0;
  pattern.back() = 1;
  return pattern;
}

void Stimuli::add_pauses(Pauses pauses, Random& random, arch::Traffic& traffic) const {
  if (pauses == Pauses::none) return;
  const auto long_pause = static_cast<std::uint32_t>(std::min(latency_ + unit_ + 5, 300));
  const std::uint64_t spread = 1 + random.below(6);
  for (const arch::Tile& tile : traffic.tiles) {
    const int loads = array_.output_stationary() ? tile.beats : unit_;
    for (int i = 0; i < loads; ++i) {
      std::uint32_t gap = 0;
      if (pauses == Pauses::stationary_late && i == 0) gap = long_pause;
      if (pauses == Pauses::stationary_slow) gap = 1 + static_cast<std::uint32_t>(i % 3);
      if (pauses == Pauses::random) gap = static_cast<std::uint32_t>(random.below(spread));
      traffic.stationary_gaps.push_back(gap);
    }
    for (int i = 0; i < tile.beats; ++i) {
      std::uint32_t gap = 0;
      if (pauses == Pauses::moving_late && i == 0) gap = long_pause;
      if (pauses == Pauses::moving_slow) gap = 1 + static_cast<std::uint32_t>(i % 3);
      if (pauses == Pauses::random) gap = static_cast<std::uint32_t>(random.below(spread));
      traffic.moving_gaps.push_back(gap);
    }
  }
}

Scenario Stimuli::scenario(std::uint64_t index) const {
  Random random(seed_, index);
  const Plan plan = index < directed_.size() ? directed_[index] : random_plan(index, random);
  Scenario scenario;
  scenario.name = plan.name;
  scenario.data = plan.data;
  scenario.pressure = plan.pressure;
  scenario.pauses = plan.pauses;
  scenario.reset_length = plan.reset_length;
  scenario.cut = plan.cut;
  for (const int beats : plan.beats) {
    scenario.traffic.tiles.push_back(make_tile(array_, plan.data, beats, random));
  }
  scenario.traffic.ready = ready_pattern(plan.pressure, random);
  add_pauses(plan.pauses, random, scenario.traffic);
  return scenario;
}

}  // namespace weft::verif
