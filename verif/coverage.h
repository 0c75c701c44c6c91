// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::verif {

/// What the stimuli of a run reached: named corners with the number of times each was hit. Corners
/// are declared, so that those that were never hit show.
class Coverage {
 public:
  struct Corner {
    std::string name;  ///< "group/corner"
    std::uint64_t hits = 0;
  };

  /// Declares a corner and returns its number.
  std::size_t declare(std::string name) {
    corners_.push_back({std::move(name)});
    return corners_.size() - 1;
  }
  void hit(std::size_t corner, std::uint64_t times = 1) { corners_[corner].hits += times; }

  [[nodiscard]] const std::vector<Corner>& corners() const { return corners_; }
  [[nodiscard]] std::size_t reached() const {
    std::size_t count = 0;
    for (const Corner& corner : corners_) count += corner.hits > 0 ? 1 : 0;
    return count;
  }

 private:
  std::vector<Corner> corners_;
};

}  // namespace weft::verif
