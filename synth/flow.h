// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "synth/synth.h"
#include "synth/workspace.h"

namespace weft::synth {

/// A Verilog file of the request and the name that it has in the directory of the run.
struct Source {
  std::filesystem::path origin;
  std::string name;
  std::string content;
  [[nodiscard]] bool is_header() const { return name.ends_with(".vh") || name.ends_with(".svh"); }
};

/// Reads the Verilog. Names that could mean something to the tools' script languages are replaced,
/// equal names get a number. Throws UserError if a file cannot be read.
std::vector<Source> read_sources(const std::vector<std::filesystem::path>& paths);

/// Runs the tools on one design in a directory and reads their reports. This is the unit that is
/// repeated per block when a design is composed of blocks. Errors: see run().
Result run_flow(const Request& request, const std::vector<Source>& sources, const Target& target,
                Workspace& workspace);

}  // namespace weft::synth
