// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "synth/power/expression.h"

namespace weft::synth {

/// A value for a rising and one for a falling edge.
template <typename T>
struct Edges {
  T rise{};
  T fall{};
};

/// A lookup table over input slew (s) and output load (F). Between points it is interpolated
/// linearly in each direction, outside the nearest two points go on as a straight line (the
/// non-linear delay model of Liberty, as OpenSTA evaluates it). A table without an axis does not
/// depend on it.
struct LookupTable {
  std::vector<double> slews;
  std::vector<double> loads;
  std::vector<double> values;  ///< [slew][load]; empty: there is no table
  [[nodiscard]] bool empty() const { return values.empty(); }
  /// 0 if there is no table.
  [[nodiscard]] double at(double slew, double load) const;
};

/// A signal pin.
struct PowerPin {
  std::string name;
  bool is_input = false;
  bool is_output = false;
  double capacitance = 0;  ///< F
  std::optional<Expression> function;
};

/// Energy that the cell uses itself when a pin changes, beside that of charging the load.
struct InternalEnergy {
  int pin = 0;
  int related = -1;                ///< the input that made an output change; -1: not told
  std::optional<Expression> when;  ///< state in which it applies
  Edges<LookupTable> energy;       ///< J an edge of `pin`
};

/// How the slew of an output follows from that of an input.
struct SlewArc {
  int from = 0;
  int to = 0;
  bool same_edge = true;      ///< a rising input makes the output rise, a falling one fall
  bool opposite_edge = true;  ///< ... the other way round; both are true where it depends
  bool clocked = false;       ///< only the rising edge of `from` counts
  Edges<LookupTable> slew;    ///< s, by the edge of `to`
};

/// Static power in a state.
struct Leakage {
  std::optional<Expression> when;
  double watts = 0;
};

/// What a cell stores.
enum class Storage { none, flip_flop, latch, unknown };

/// A cell. Variables of its expressions are the indices of its pins, then the stored bit
/// (pins.size()). The conditions of internal energy and leakage know no outputs: these are told by
/// inputs and stored bit.
struct PowerCell {
  std::string name;
  std::vector<PowerPin> pins;
  Storage storage = Storage::none;
  std::optional<Expression> next;  ///< what a flip-flop or latch takes over
  std::optional<Expression>
      enable;                       ///< a flip-flop takes over when it rises, a latch while it is 1
  std::optional<Expression> clear;  ///< asynchronous
  std::optional<Expression> preset;
  std::vector<InternalEnergy> internal;
  std::vector<SlewArc> arcs;
  std::vector<Leakage> leakages;

  /// The variable that is the stored bit.
  [[nodiscard]] int stored() const { return static_cast<int>(pins.size()); }
  [[nodiscard]] std::optional<int> find(std::string_view pin) const;
};

/// A cell library's figures for power, in SI units.
struct PowerLibrary {
  std::string name;
  double voltage = 0;  ///< V, of the default operating conditions
  std::map<std::string, PowerCell, std::less<>> cells;
  std::vector<std::string> notes;  ///< what is odd about the library and was passed over
};

/// Reads what concerns power. Units: the energy of internal_power tables is in capacitive load unit
/// times voltage unit squared, leakage in leakage_power_unit. Tables of ground pins (voltage 0 in
/// voltage_map) are left out: they tell the charge of the supply's tables once more.
///
/// Throws UserError for what is not Liberty, units that are unknown, a supply voltage that is not
/// told, or if there is no internal_power table at all: then area can be given, energy can't.
PowerLibrary read_power_library(std::string_view text, const std::string& file);

}  // namespace weft::synth
