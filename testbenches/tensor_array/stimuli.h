// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/tensor_array.h"
#include "arch/traffic.h"
#include "testbenches/tensor_array/tile_data.h"

namespace weft::verif {

/// How the result port is held up.
enum class BackPressure {
  none,
  toggle_first,   ///< ready in even cycles
  toggle_second,  ///< ready in odd cycles
  two_of_three,
  one_of_three,
  long_stalls,    ///< the array stands still for longer than its latency, then flows
  single_pulses,  ///< ready for one cycle after long stalls
  random,
};

/// How the sources pause.
enum class Pauses {
  none,
  moving_late,      ///< each tile's vectors come long after its operands were loaded
  stationary_late,  ///< each tile's operands come long after the vectors before are done
  stationary_slow,  ///< a pause before each stationary beat
  moving_slow,      ///< a pause before each moving beat
  random,
};

/// The words for reports.
[[nodiscard]] const char* to_string(BackPressure pressure);
[[nodiscard]] const char* to_string(Pauses pauses);

/// One experiment on a freshly reset array.
struct Scenario {
  std::string name;
  TileData data = TileData::random;
  BackPressure pressure = BackPressure::none;
  Pauses pauses = Pauses::none;
  arch::Traffic traffic;
  std::uint64_t reset_length = 2;  ///< clock cycles of reset before it
  bool streaming = false;          ///< long tiles back to back: what speed is measured on
  std::optional<double> cut;       ///< reset strikes after this part (0..1) of its cycles
};

/// The scenarios of a run: first the directed ones, then random ones, most of which stream tiles at
/// full speed while the others combine pauses, back pressure and data kinds. Scenario `index` is a
/// function of array, seed and index.
class Stimuli {
 public:
  Stimuli(const arch::TensorArray& array, std::uint64_t seed);

  /// Number of directed scenarios; those from this index on are random.
  [[nodiscard]] std::uint64_t directed() const { return directed_.size(); }

  [[nodiscard]] Scenario scenario(std::uint64_t index) const;

 private:
  /// Everything about a directed scenario but its random numbers.
  struct Plan {
    std::string name;
    TileData data = TileData::random;
    BackPressure pressure = BackPressure::none;
    Pauses pauses = Pauses::none;
    std::vector<int> beats;  ///< of each tile
    std::uint64_t reset_length = 2;
    bool streaming = false;
    std::optional<double> cut;
  };

  void plan_data();
  void plan_sizes();
  void plan_flow();
  void plan_resets();
  [[nodiscard]] Plan random_plan(std::uint64_t index, Random& random) const;
  [[nodiscard]] int some_beats(Random& random) const;
  [[nodiscard]] std::vector<std::uint8_t> ready_pattern(BackPressure pressure,
                                                        Random& random) const;
  void add_pauses(Pauses pauses, Random& random, arch::Traffic& traffic) const;

  arch::TensorArray array_;
  std::uint64_t seed_;
  int unit_;  ///< the tile size at which the array's behaviour changes: load beats, or ROWS
  int latency_;
  std::vector<Plan> directed_;
};

}  // namespace weft::verif
