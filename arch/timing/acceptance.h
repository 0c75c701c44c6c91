// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "arch/timing/array_timing.h"

namespace weft::arch {

/// The array's acceptance rules, one beat at a time: when may the next beat of each stream be
/// accepted, given what was accepted before? (docs/tensor_array.md, "Time".) A stream is ready in
/// exactly the array cycles from the answer on. Report every accepted beat, in order of time; for
/// output stationary a step is one moving beat, and the stationary stream moves with it.
class Acceptance {
 public:
  /// Not before something else is accepted.
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  explicit Acceptance(const TensorArray& array);

  /// First array cycle in which the next load beat may be accepted; `never` while the tile it
  /// would overwrite is in use. Weight and input stationary only.
  [[nodiscard]] std::int64_t earliest_load() const;
  /// First array cycle in which the next moving vector or step may be accepted; `never` while its
  /// tile is not loaded. `last` tells whether that beat ends its tile.
  [[nodiscard]] std::int64_t earliest_moving(bool last) const;

  void accept_load(std::int64_t cycle);
  void accept_moving(std::int64_t cycle, bool last);

 private:
  void switch_tiles();

  ArrayTiming timing_;
  int rows_;
  bool output_stationary_;
  bool double_buffered_;

  std::int64_t next_load_ = 0;    // no load beat before this cycle
  std::int64_t next_moving_ = 0;  // no moving beat before this cycle
  std::int64_t loaded_ = 0;       // cycle after the last load beat of the waiting tile
  std::int64_t finished_ = 0;     // cycle after the last vector of the previous tile
  int beats_ = 0;                 // accepted load beats of the tile that is being loaded
  bool waiting_ = false;          // a loaded tile waits for its switch
  bool in_use_ = false;           // a tile has been switched to and its last vector is to come
};

}  // namespace weft::arch
