// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "synth/power/port_trace.h"
#include "synth/power/power.h"
#include "synth/result.h"
#include "synth/target.h"

namespace weft::synth {

/// What a netlist uses, by kind of cell; J and W as in CellEnergy.
struct EnergyParts {
  CellEnergy registers;  ///< flip-flops and latches, with what happens at their clock pins
  CellEnergy logic;      ///< all other cells
  double clock_net = 0;  ///< J a cycle: the pins that the clock leads to, also through gates

  /// J a clock cycle of `period` s.
  [[nodiscard]] double per_cycle(double period) const {
    return registers.per_cycle(period) + logic.per_cycle(period) + clock_net;
  }
  bool operator==(const EnergyParts&) const = default;
};

/// What one module uses by itself, over all its instances, without the modules within.
struct ModuleEnergy {
  std::string module;
  std::uint64_t cells = 0;
  EnergyParts parts;
};

/// What happened in the cycles that were counted, as often as `count`.
struct Operation {
  std::string name;  ///< MAC, flit, inference
  double count = 0;
};

/// A workload on a design's ports, and what it amounts to.
struct EnergyWorkload {
  std::string name;
  const PortTrace* trace = nullptr;
  std::uint64_t all_cycles = 0;  ///< of the whole workload, of which the trace may be a part
  std::vector<Operation> operations;
};

/// How often nets change.
struct ActivityChoice {
  const EnergyWorkload* workload = nullptr;  ///< measured; null: assumed
  double assumed = 0.1;                      ///< toggles of every net in a cycle
};

/// Energy of a design on a target.
struct EnergyReport {
  std::string design;
  std::string target;
  std::string library;
  double voltage = 0;   ///< V
  double clock_ns = 0;  ///< period
  double slack_ns = 0;  ///< of the synthesis for this period

  /// The activity in words: "measured: digits, 1797 images, 143832 of 143832 cycles" or "assumed:
  /// 0.1 toggles a cycle".
  std::string activity;
  bool measured = false;
  std::uint64_t cycles = 0;           ///< measured: counted
  std::uint64_t workload_cycles = 0;  ///< measured: of the whole workload
  double mean_toggles = 0;            ///< of a net in a cycle, the clock left out

  EnergyParts flat;                   ///< of the flat netlist: what counts
  std::vector<ModuleEnergy> modules;  ///< of the one whose modules were kept apart; largest first
  std::vector<Operation> operations;  ///< measured
  std::vector<std::string> notes;

  [[nodiscard]] double period() const { return clock_ns * 1e-9; }
  /// J in an average clock cycle, leakage included.
  [[nodiscard]] double per_cycle() const { return flat.per_cycle(period()); }
  [[nodiscard]] double watts() const { return per_cycle() / period(); }
  /// J of one of `operation`.
  [[nodiscard]] double per(const Operation& operation) const {
    return operation.count > 0 ? per_cycle() * static_cast<double>(cycles) / operation.count : 0;
  }
};

/// The energy of a synthesised design (docs/energy.md), whose files are in its directory; `library`
/// is what read_power_library() makes of the target.
///
/// Throws UserError for designs without a clock or with several, and for what can't be simulated
/// (NetlistSimulator); ToolError if the netlist does anything else than the RTL.
EnergyReport find_energy(const Result& synthesis, const Target& target, const PowerLibrary& library,
                         const ActivityChoice& activity,
                         const std::function<void(std::string_view)>& progress = {});

/// All figures in pJ, mW and ns.
nlohmann::ordered_json to_json(const EnergyReport& report);

/// A table for people.
std::string to_text(const EnergyReport& report);

}  // namespace weft::synth
