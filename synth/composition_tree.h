// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "synth/compose.h"
#include "synth/composition_plan.h"

namespace weft::synth {

/// What the areas in a tree are made of.
struct TreeParts {
  const CompositionPlan& plan;
  const std::map<BlockKey, Contents>& contents;
  const std::map<BlockKey, double>& gates;  ///< what each module holds by itself
  std::map<BlockKey, double> areas;         ///< of the blocks, um2
  const std::map<MemoryShape, MemoryUse>& memories;
};

/// The instances below `top` with their areas. The area of a block is divided by gates among the
/// modules that were synthesised with it.
Share composition_tree(const Instance& top, const TreeParts& parts);

/// Adds what each module in a tree contributes by itself to `use`.
void add_modules(const Share& tree, std::map<std::string, ModuleUse>& use);

}  // namespace weft::synth
