// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "synth/power/activity.h"
#include "synth/power/netlist.h"
#include "synth/power/slews.h"

namespace weft::synth {

/// What a cell uses.
struct CellEnergy {
  double switching = 0;  ///< J a clock cycle: charging what its outputs lead to, but for clocks
  double internal = 0;   ///< J a clock cycle: within the cell
  double leakage = 0;    ///< W

  CellEnergy& operator+=(const CellEnergy& other);
  /// J a clock cycle of `period` s.
  [[nodiscard]] double per_cycle(double period) const {
    return switching + internal + leakage * period;
  }
  bool operator==(const CellEnergy&) const = default;
};

/// How one internal_power table counts at a cell of a netlist.
struct InternalShare {
  const InternalEnergy* table = nullptr;
  Edges<double> energy;  ///< J an edge of its pin, at the pin's slews and load
  /// Changes of the pin in a cycle for which it counts; half of them rise, half fall.
  double changes = 0;
};

/// The tables of a cell, with the activity of its nets taken as independent of each other.
///
/// A table of an input counts at every change of it, as often as `when` holds. Those of an output
/// share its changes in proportion to how often each related input brings one about: changes of the
/// input times the probability that the output follows (Boolean difference). Tables without `when`
/// stand for the states that the others leave.
std::vector<InternalShare> internal_shares(const NetlistCell& cell, const NetLoads& loads,
                                           const Activity& activity);

/// The energy of each cell, in the order of the netlist's.
std::vector<CellEnergy> cell_energies(const Netlist& netlist, const PowerLibrary& library,
                                      const NetLoads& loads, const Activity& activity);

/// J a clock cycle to charge the pins that the nets of the clock network lead to; by module, of
/// those that stand in it.
std::vector<double> clock_energies(const Netlist& netlist, const PowerLibrary& library,
                                   const NetLoads& loads, const Activity& activity);

}  // namespace weft::synth
