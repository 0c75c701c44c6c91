// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "synth/hierarchy.h"
#include "synth/memory_model.h"
#include "synth/survey.h"
#include "synth/synth.h"

namespace weft::synth {

/// What becomes of the memories of a design.
enum class Memories {
  automatic,  ///< flip-flops, from macro_bits on macros
  registers,  ///< flip-flops, however many
  model,      ///< macros, however small
};

struct CompositionOptions {
  Memories memories = Memories::automatic;
  /// Liberty files with memory macros. The memory model stands for memories that none of them fits.
  std::vector<std::filesystem::path> macro_libraries{};
  /// What is synthesised together is cut where it exceeds this many gates (Contents::gates).
  double together_gates = 60000;
  /// The largest size that is synthesised of a module that repeats; 0: what its generator says.
  std::int64_t largest_sample = 0;
  unsigned jobs = 2;  ///< blocks that are synthesised at once
};

/// Bits from which on memories are macros by default.
inline constexpr std::int64_t macro_bits = 8192;

/// A module at given parameters that was synthesised apart, without the blocks and memories in it.
struct Block {
  BlockKey key;
  std::int64_t instances = 0;  ///< in the design
  double area_um2 = 0;         ///< of one
  double cells = 0;
  double registers = 0;
  std::string extended_from;       ///< the sizes that were measured; empty: it was measured itself
  std::optional<double> held_out;  ///< relative error of the extension at a size between
  /// Relative change of the area where two are synthesised together with what holds it; it is in
  /// area_um2 and, alike, in cells.
  std::optional<double> context;
  double own_path_ns = 0;  ///< longest path between its registers
  std::string directory;   ///< of its run, or of that of its biggest sample
};

/// Memories that are not made of flip-flops.
struct MemoryUse {
  MemoryShape shape;
  std::int64_t instances = 0;
  MemoryCost cost;  ///< of one
};

/// A module within the design, with what it contains.
struct Share {
  std::string name;  ///< of the instance
  std::string module;
  std::int64_t instances = 1;  ///< in the whole design
  double area_um2 = 0;         ///< of all of them with their contents
  bool divided = false;        ///< synthesised with its parent, whose area was divided by gates
  std::vector<Share> children;
};

/// A design composed of its blocks.
struct Composition {
  /// Nothing had to be composed: `result` is that of run(), in the same directory.
  bool at_once = false;
  Result result;  ///< totals and the critical path; no by_cell unless at_once
  Share tree;
  std::vector<Block> blocks;
  std::vector<MemoryUse> memories;
  std::optional<Result> flat;  ///< for comparison
};

/// Synthesises the distinct blocks of a design once each and composes them by its hierarchy
/// (docs/synthesis.md). `request` is as for run(), with the top and no parameters; its output
/// directory takes a folder a block, the report, and a `run.sh` that repeats all. Errors: see
/// run(); a ToolError names the block.
Composition compose(const Request& request, const Hierarchy& hierarchy,
                    const CompositionOptions& options = {});

}  // namespace weft::synth
