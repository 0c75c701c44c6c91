// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "synth/memory_model.h"
#include "synth/survey.h"

namespace weft::synth {

/// A memory macro that a Liberty file describes.
struct LibraryMemory {
  std::string cell;
  std::int64_t words = 0;
  std::int64_t width = 0;
  std::int64_t read_ports = 0;    ///< that cannot write
  std::int64_t write_ports = 0;   ///< that cannot read
  std::int64_t shared_ports = 0;  ///< that read or write
  bool clocked = false;           ///< reads start at a clock edge
  MemoryCost cost;                ///< of one macro
};

/// The memories of a Liberty file, compressed or not: the cells with a `memory` group. Ports are
/// those of the groups `memory_read` and `memory_write`, told apart by their addresses; a file
/// without them has as many shared ports as outputs as wide as a word. Delays, setup times and the
/// energy of the clock's costliest access are the middle ones of their tables.
///
/// Throws UserError if the file cannot be read, is not Liberty, or has no memory.
std::vector<LibraryMemory> read_memory_library(const std::filesystem::path& path);

/// The smallest way to make a memory of one kind of macro, side by side where its words are wider.
/// Macros may have more words and ports than it needs. Those with clocked reads stand for memories
/// without only where there are no others, and a note says so; the reverse never happens. Nothing
/// if none fits.
std::optional<MemoryCost> fit_memory(const MemoryShape& memory,
                                     const std::vector<LibraryMemory>& library);

}  // namespace weft::synth
