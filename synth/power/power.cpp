// SPDX-License-Identifier: Apache-2.0
#include "synth/power/power.h"

#include <algorithm>
#include <cstddef>

namespace weft::synth {
namespace {

/// Rates of a cell's variables: its pins, then the stored bit.
class CellRates {
 public:
  CellRates(const NetlistCell& cell, const Activity& activity) : type_(*cell.type) {
    for (const Net net : cell.nets) {
      toggles_.push_back(activity.nets[net].toggles);
      high_.push_back(activity.nets[net].high);
    }
    // The stored bit is what an output shows of it, plain or inverted.
    high_.push_back(0.5);
    for (std::size_t pin = 0; pin < type_.pins.size(); ++pin) {
      const auto& function = type_.pins[pin].function;
      if (!function || function->support() != std::vector<int>{type_.stored()}) continue;
      std::vector<std::uint64_t> values(type_.pins.size() + 1, 0);
      const bool inverse = function->evaluate(values) != 0;
      high_.back() = inverse ? 1 - high_[pin] : high_[pin];
    }
  }

  [[nodiscard]] double toggles(int pin) const { return toggles_[static_cast<std::size_t>(pin)]; }
  [[nodiscard]] double probability(const Expression& expression) const {
    return expression.probability(high_);
  }
  /// How often in a cycle a change of `input` makes `output` change.
  [[nodiscard]] double influence(int input, int output) const {
    const auto& function = type_.pins[static_cast<std::size_t>(output)].function;
    if (function && function->depends_on(input))
      return toggles(input) * function->sensitivity(input, high_);
    return toggles(input);
  }

 private:
  const PowerCell& type_;
  std::vector<double> toggles_;
  std::vector<double> high_;
};

/// Whether two tables describe the same event in different states.
bool same_event(const InternalEnergy& a, const InternalEnergy& b) {
  return a.pin == b.pin && a.related == b.related;
}

/// The probability that the state is one for which the table is made.
double state_probability(const PowerCell& type, const InternalEnergy& table,
                         const CellRates& rates) {
  if (table.when) return rates.probability(*table.when);
  double others = 0;
  for (const InternalEnergy& other : type.internal)
    if (other.when && same_event(table, other)) others += rates.probability(*other.when);
  return std::max(0.0, 1 - others);
}

double leakage_of(const NetlistCell& cell, const CellRates& rates) {
  double total = 0;
  double covered = 0;
  double general = 0;
  for (const Leakage& leakage : cell.type->leakages) {
    if (!leakage.when) {
      general += leakage.watts;
      continue;
    }
    const double probability = rates.probability(*leakage.when);
    total += probability * leakage.watts;
    covered += probability;
  }
  return total + std::max(0.0, 1 - covered) * general;
}

}  // namespace

CellEnergy& CellEnergy::operator+=(const CellEnergy& other) {
  switching += other.switching;
  internal += other.internal;
  leakage += other.leakage;
  return *this;
}

std::vector<InternalShare> internal_shares(const NetlistCell& cell, const NetLoads& loads,
                                           const Activity& activity) {
  const PowerCell& type = *cell.type;
  const CellRates rates(cell, activity);
  std::vector<InternalShare> shares;
  std::vector<double> influence(type.pins.size(), 0);  // of all related inputs together
  std::vector<std::size_t> tables(type.pins.size(), 0);
  for (const InternalEnergy& table : type.internal) {
    const auto pin = static_cast<std::size_t>(table.pin);
    const bool output = type.pins[pin].is_output;
    const int source = table.related < 0 ? table.pin : table.related;
    const auto& slew = loads.slew[cell.nets[static_cast<std::size_t>(source)]];
    const double load = output ? loads.load[cell.nets[pin]] : 0;
    // An output that falls when the input rises met the input's rising edge.
    const bool turned = std::ranges::any_of(type.arcs, [&](const SlewArc& arc) {
      return arc.from == table.related && arc.to == table.pin && !arc.same_edge;
    });
    InternalShare share;
    share.table = &table;
    share.energy.rise = table.energy.rise.at(turned ? slew.fall : slew.rise, load);
    share.energy.fall = table.energy.fall.at(turned ? slew.rise : slew.fall, load);
    share.changes = state_probability(type, table, rates);
    if (output) {
      if (table.related >= 0) share.changes *= rates.influence(table.related, table.pin);
      influence[pin] += share.changes;
      ++tables[pin];
    } else {
      share.changes *= rates.toggles(table.pin);
    }
    shares.push_back(share);
  }
  for (InternalShare& share : shares) {
    const auto pin = static_cast<std::size_t>(share.table->pin);
    if (!type.pins[pin].is_output) continue;
    // Where no input explains the changes (two at a time did) all tables are as likely.
    const double part = influence[pin] > 0 ? share.changes / influence[pin]
                                           : 1.0 / static_cast<double>(tables[pin]);
    share.changes = part * rates.toggles(share.table->pin);
  }
  return shares;
}

std::vector<CellEnergy> cell_energies(const Netlist& netlist, const PowerLibrary& library,
                                      const NetLoads& loads, const Activity& activity) {
  const double charge = 0.5 * library.voltage * library.voltage;
  std::vector<CellEnergy> result;
  result.reserve(netlist.cells.size());
  for (const NetlistCell& cell : netlist.cells) {
    CellEnergy energy;
    for (std::size_t pin = 0; pin < cell.nets.size(); ++pin)
      if (cell.type->pins[pin].is_output && !loads.clock[cell.nets[pin]])
        energy.switching +=
            charge * loads.load[cell.nets[pin]] * activity.nets[cell.nets[pin]].toggles;
    for (const InternalShare& share : internal_shares(cell, loads, activity))
      energy.internal += share.changes / 2 * (share.energy.rise + share.energy.fall);
    energy.leakage = leakage_of(cell, CellRates(cell, activity));
    result.push_back(energy);
  }
  return result;
}

std::vector<double> clock_energies(const Netlist& netlist, const PowerLibrary& library,
                                   const NetLoads& loads, const Activity& activity) {
  const double charge = 0.5 * library.voltage * library.voltage;
  std::vector<double> result(netlist.modules.size(), 0);
  for (const NetlistCell& cell : netlist.cells)
    for (std::size_t pin = 0; pin < cell.nets.size(); ++pin)
      if (cell.type->pins[pin].is_input && loads.clock[cell.nets[pin]])
        result[cell.module] +=
            charge * cell.type->pins[pin].capacitance * activity.nets[cell.nets[pin]].toggles;
  return result;
}

}  // namespace weft::synth
