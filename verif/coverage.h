// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace weft::verif {

/// What the stimuli of a run reached: named corners with the number of times each was hit. Corners
/// are declared, so that those that were never hit show.
class Coverage {
 public:
  struct Corner {
    std::string name;      ///< "group/corner"
    bool possible = true;  ///< false: this design cannot be brought there
    std::uint64_t hits = 0;
  };

  /// Declares a corner and returns its number.
  std::size_t declare(std::string name, bool possible = true) {
    corners_.push_back({std::move(name), possible, 0});
    return corners_.size() - 1;
  }
  void hit(std::size_t corner, std::uint64_t times = 1) { corners_[corner].hits += times; }

  [[nodiscard]] const std::vector<Corner>& corners() const { return corners_; }
  /// Corners that can be reached.
  [[nodiscard]] std::size_t possible() const {
    return static_cast<std::size_t>(std::count_if(
        corners_.begin(), corners_.end(), [](const Corner& corner) { return corner.possible; }));
  }
  /// Those of them that were.
  [[nodiscard]] std::size_t reached() const {
    return static_cast<std::size_t>(
        std::count_if(corners_.begin(), corners_.end(),
                      [](const Corner& corner) { return corner.possible && corner.hits > 0; }));
  }

 private:
  std::vector<Corner> corners_;
};

/// How many corners were reached, and each possible one with its hits.
[[nodiscard]] nlohmann::ordered_json to_json(const Coverage& coverage);

}  // namespace weft::verif
