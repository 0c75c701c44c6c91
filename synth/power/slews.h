// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "synth/power/netlist.h"

namespace weft::synth {

/// What surrounds a design, and the loads and slews that its nets have: no wires.
struct NetLoads {
  std::vector<double> load;         ///< F by net: pins that it leads to, and the outputs' loads
  std::vector<Edges<double>> slew;  ///< s by net, the worst of the ways to it
  std::vector<bool> clock;          ///< by net: it is one of clock_network()
};

/// Sums pin capacitances, and follows the slews from ports and registers through the library's
/// transition tables, as static timing analysis does: at every net the larger one of all arcs. The
/// inputs are driven by `driving_cell` behind an edge of slew 0; each output has `output_load` (F).
/// The clock's edges are ideal, slew 0, at every net of its network, also behind gates: a tree of
/// buffers will stand there, and none does yet. Throws UserError if the cell is not in the library.
NetLoads find_loads(const Netlist& netlist, const PowerLibrary& library, std::string_view clock,
                    std::string_view driving_cell, double output_load);

}  // namespace weft::synth
