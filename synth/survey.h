// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "synth/growth.h"
#include "synth/hierarchy.h"

namespace weft::synth {

/// A module at given parameters.
struct BlockKey {
  std::string module;
  Sizes parameters;
  auto operator<=>(const BlockKey&) const = default;
};

/// A memory that Yosys found, before it is mapped to anything.
struct MemoryShape {
  std::int64_t words = 0;
  std::int64_t width = 0;
  std::int64_t read_ports = 0;
  std::int64_t write_ports = 0;
  /// Bit p: read port p has a register.
  std::int64_t clocked_reads = 0;
  std::int64_t address_bits = 0;
  [[nodiscard]] std::int64_t bits() const { return words * width; }
  auto operator<=>(const MemoryShape&) const = default;
};

/// What a module holds by itself, without the modules in it, before it is mapped to cells.
struct Contents {
  /// A rough measure of its size, in gates: only good for dividing an area and for deciding what to
  /// synthesise together.
  double gates = 0;
  std::map<MemoryShape, std::int64_t> memories;  ///< with how many there are
};

/// Yosys' commands that find the contents of all modules of an elaborated design.
std::string survey_commands(const std::string& statistics_file, const std::string& memory_file);

/// Reads what these commands, and the elaboration before them, left behind: the log, the statistics
/// and the memories. The modules are told apart by the parameters that the log gives.
/// Throws ToolError if they cannot be read or a block of `blocks` is not among them.
std::map<BlockKey, Contents> read_survey(const std::vector<BlockKey>& blocks,
                                         const std::string& log, const std::string& statistics,
                                         const std::string& memories);

}  // namespace weft::synth
