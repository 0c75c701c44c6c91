// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "synth/hierarchy.h"
#include "synth/macro.h"

namespace weft::synth {

/// The Liberty `cell` group of a block: pins and buses with constant delays. An arc between two
/// ports holds for each pair of their bits. `clock` is the clock input; empty: none.
/// `transition_ns` is the slope at outputs, `load_ff` the capacitance of inputs.
std::string liberty_cell(const std::string& name, const std::vector<BlockPort>& ports,
                         const std::string& clock, const std::vector<Arc>& arcs,
                         double transition_ns, double load_ff);

/// An empty Verilog module with these ports.
std::string verilog_interface(const std::string& name, const std::vector<BlockPort>& ports);

/// A library of such cells, in ns and fF.
std::string macro_library(const std::string& cells);

}  // namespace weft::synth
