// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace weft::synth {

/// A run that a composed design is made of.
struct BlockRun {
  std::string directory;  ///< of its own run.sh
  double weight = 0;      ///< what its area is multiplied with in that of the design
};

/// A shell script that repeats the runs, in this order, and adds their areas to `memory_area_um2`.
std::string composition_script(const std::vector<BlockRun>& runs, double memory_area_um2);

}  // namespace weft::synth
