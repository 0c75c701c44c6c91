// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "synth/fpga/fpga_use.h"

namespace weft::synth {

/// The memories of a design. `memories` is the JSON netlist of the memory cells that Yosys found;
/// `block_rams` and `lut_rams` are what `select -list` gives of the cells that they became, whose
/// names begin with the memory's. Throws ToolError if the JSON cannot be read.
std::vector<FpgaMemory> read_memories(const std::string& memories, const std::string& block_rams,
                                      const std::string& lut_rams);

/// Why nextpnr could not place a design on a device; empty if that is not what stopped it.
std::string misfit(const std::string& log);

/// What icetime found.
struct RoutedTiming {
  double delay_ns = 0;
  std::string start;  ///< the first and last net of the path that has a name
  std::string end;
};

/// Reads icetime's report. Throws ToolError if it has no path.
RoutedTiming read_icetime(const std::string& log, const std::string& log_path);

}  // namespace weft::synth
