// SPDX-License-Identifier: Apache-2.0
#include "synth/power/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "synth/power/activity.h"
#include "synth/power/netlist.h"
#include "synth/power/power_library.h"
#include "synth/power/slews.h"
#include "synth/scripts.h"

namespace weft::synth {
namespace {

namespace fs = std::filesystem;

constexpr double femto = 1e-15;

/// The only clock: lines of files::clocks are TOP/PORT.
std::string clock_of(const Result& synthesis) {
  std::istringstream lines(base::read_file(synthesis.directory / files::clocks));
  std::vector<std::string> clocks;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) clocks.push_back(line.substr(line.rfind('/') + 1));
  if (clocks.size() == 1) return clocks[0];
  throw UserError(fmt::format("{}: energy a cycle needs one clock, the design has {}",
                              synthesis.top, clocks.empty() ? "none" : "several"));
}

/// What is known of a netlist before anything moves.
struct Mapped {
  Netlist netlist;
  NetLoads loads;
};

Mapped read_mapped(const fs::path& file, const std::string& top, const PowerLibrary& library,
                   const Target& target, const std::string& clock) {
  Mapped mapped;
  mapped.netlist = read_netlist(base::read_file(file), file.string(), top, library);
  mapped.loads =
      find_loads(mapped.netlist, library, clock, target.driving_cell, target.load_ff * femto);
  return mapped;
}

void add(EnergyParts& parts, const NetlistCell& cell, const CellEnergy& energy) {
  (cell.type->storage == Storage::none ? parts.logic : parts.registers) += energy;
}

std::vector<ModuleEnergy> by_module(const Mapped& mapped, const PowerLibrary& library,
                                    const Activity& activity) {
  const auto energies = cell_energies(mapped.netlist, library, mapped.loads, activity);
  const auto clocks = clock_energies(mapped.netlist, library, mapped.loads, activity);
  std::vector<ModuleEnergy> modules;
  for (std::size_t m = 0; m < clocks.size(); ++m) {
    modules.push_back({mapped.netlist.modules[m], 0, {}});
    modules.back().parts.clock_net = clocks[m];
  }
  for (std::size_t c = 0; c < energies.size(); ++c) {
    const NetlistCell& cell = mapped.netlist.cells[c];
    ModuleEnergy& module = modules[cell.module];
    ++module.cells;
    add(module.parts, cell, energies[c]);
  }
  return modules;
}

double mean_toggles(const Activity& activity, const Netlist& netlist, const std::string& clock) {
  const Net clock_net = netlist.inputs[*netlist.find_input(clock)].net;
  double total = 0;
  for (Net net = 2; net < activity.nets.size(); ++net)
    if (net != clock_net) total += activity.nets[net].toggles;
  return activity.nets.size() > 3 ? total / static_cast<double>(activity.nets.size() - 3) : 0;
}

/// "23.1 pJ"
std::string engineering(double value, std::string_view unit) {
  static constexpr std::array<std::pair<double, const char*>, 8> prefixes{{{1, ""},
                                                                           {1e-3, "m"},
                                                                           {1e-6, "u"},
                                                                           {1e-9, "n"},
                                                                           {1e-12, "p"},
                                                                           {1e-15, "f"},
                                                                           {1e-18, "a"},
                                                                           {1e-21, "z"}}};
  for (const auto& [factor, prefix] : prefixes)
    if (std::abs(value) >= factor) return fmt::format("{:.4g} {}{}", value / factor, prefix, unit);
  return fmt::format("0 {}", unit);
}

constexpr double pico = 1e-12;

std::string row(std::string_view name, const CellEnergy& energy, double clock_net, double period,
                double all) {
  const double total = energy.per_cycle(period) + clock_net;
  return fmt::format("  {:<28}{:>12.4g}{:>12.4g}{:>12.4g}{:>12.4g}{:>7.1f}\n", name,
                     energy.internal / pico, (energy.switching + clock_net) / pico,
                     energy.leakage * period / pico, total / pico, all > 0 ? 100 * total / all : 0);
}

nlohmann::ordered_json cell_json(const CellEnergy& energy, double period) {
  return {{"internal_pj", energy.internal / pico},
          {"switching_pj", energy.switching / pico},
          {"leakage_pj", energy.leakage * period / pico},
          {"leakage_mw", energy.leakage * 1e3}};
}

nlohmann::ordered_json parts_json(const EnergyParts& parts, double period) {
  return {{"energy_per_cycle_pj", parts.per_cycle(period) / pico},
          {"registers", cell_json(parts.registers, period)},
          {"logic", cell_json(parts.logic, period)},
          {"clock_net_pj", parts.clock_net / pico}};
}

}  // namespace

EnergyReport find_energy(const Result& synthesis, const Target& target, const PowerLibrary& library,
                         const ActivityChoice& choice,
                         const std::function<void(std::string_view)>& progress) {
  const std::string clock = clock_of(synthesis);
  EnergyReport report;
  report.design = synthesis.top;
  report.target = synthesis.target;
  report.library = library.name;
  report.voltage = library.voltage;
  report.clock_ns = synthesis.clock_ns;
  report.slack_ns = synthesis.slack_ns;
  report.notes = library.notes;
  report.notes.insert(report.notes.end(), synthesis.warnings.begin(), synthesis.warnings.end());
  if (synthesis.slack_ns < 0)
    report.notes.push_back(fmt::format(
        "timing is not met at {:g} ns (slack {:.3f} ns): at that clock the design would not work",
        synthesis.clock_ns, synthesis.slack_ns));
  const auto activity_of = [&](const Netlist& netlist) {
    return choice.workload == nullptr
               ? assumed_activity(netlist, clock, choice.assumed)
               : measure_activity(netlist, clock, *choice.workload->trace, progress);
  };

  {
    const Mapped mapped =
        read_mapped(synthesis.directory / files::netlist, synthesis.top, library, target, clock);
    const Activity activity = activity_of(mapped.netlist);
    const auto energies = cell_energies(mapped.netlist, library, mapped.loads, activity);
    for (std::size_t c = 0; c < energies.size(); ++c)
      add(report.flat, mapped.netlist.cells[c], energies[c]);
    for (const double energy : clock_energies(mapped.netlist, library, mapped.loads, activity))
      report.flat.clock_net += energy;
    report.mean_toggles = mean_toggles(activity, mapped.netlist, clock);
    report.measured = activity.measured;
    report.cycles = activity.cycles;
  }
  if (choice.workload == nullptr) {
    report.activity = fmt::format("assumed: {:g} toggles a cycle on every net", choice.assumed);
  } else {
    report.workload_cycles = choice.workload->all_cycles;
    report.operations = choice.workload->operations;
    report.activity = fmt::format("measured: {}, {} of {} cycles", choice.workload->name,
                                  report.cycles, report.workload_cycles);
  }

  const fs::path apart = synthesis.directory / files::module_netlist;
  if (!fs::exists(apart)) return report;
  const Mapped mapped = read_mapped(apart, synthesis.top, library, target, clock);
  report.modules = by_module(mapped, library, activity_of(mapped.netlist));
  std::ranges::stable_sort(report.modules, [&](const ModuleEnergy& a, const ModuleEnergy& b) {
    return a.parts.per_cycle(report.period()) > b.parts.per_cycle(report.period());
  });
  return report;
}

nlohmann::ordered_json to_json(const EnergyReport& report) {
  nlohmann::ordered_json json{{"design", report.design},
                              {"target", report.target},
                              {"library", report.library},
                              {"voltage", report.voltage},
                              {"clock_ns", report.clock_ns},
                              {"activity", report.activity},
                              {"measured", report.measured},
                              {"cycles", report.cycles},
                              {"workload_cycles", report.workload_cycles},
                              {"mean_toggles", report.mean_toggles},
                              {"power_mw", report.watts() * 1e3}};
  json.update(parts_json(report.flat, report.period()));
  json["operations"] = nlohmann::ordered_json::array();
  for (const Operation& operation : report.operations)
    json["operations"].push_back({{"name", operation.name},
                                  {"count", operation.count},
                                  {"energy_pj", report.per(operation) / pico}});
  json["by_module"] = nlohmann::ordered_json::array();
  for (const ModuleEnergy& module : report.modules) {
    nlohmann::ordered_json entry{{"module", module.module}, {"cells", module.cells}};
    entry.update(parts_json(module.parts, report.period()));
    json["by_module"].push_back(std::move(entry));
  }
  json["notes"] = report.notes;
  return json;
}

std::string to_text(const EnergyReport& report) {
  const double period = report.period();
  const double all = report.per_cycle();
  std::string text = fmt::format("{} on {} ({:g} V), clock {:g} ns\n", report.design, report.target,
                                 report.voltage, report.clock_ns);
  text += fmt::format("  {:<15}{}\n", "activity", report.activity);
  if (report.measured)
    text += fmt::format(
        "  {:<15}{:.4f} toggles of a net in a cycle on average; all outputs as the RTL's\n", "",
        report.mean_toggles);
  text += fmt::format("  {:<15}{} a cycle", "energy", engineering(all, "J"));
  for (const Operation& operation : report.operations)
    text += fmt::format(", {} per {}", engineering(report.per(operation), "J"), operation.name);
  text += fmt::format("\n  {:<15}{} at {:.1f} MHz, {} of it leakage\n", "power",
                      engineering(report.watts(), "W"), 1000 / report.clock_ns,
                      engineering(report.flat.registers.leakage + report.flat.logic.leakage, "W"));
  text += fmt::format("\n  {:<28}{:>12}{:>12}{:>12}{:>12}{:>7}\n", "pJ a cycle", "internal",
                      "switching", "leakage", "total", "%");
  text += row("registers", report.flat.registers, 0, period, all);
  text += row("logic", report.flat.logic, 0, period, all);
  text += row("clock net", {}, report.flat.clock_net, period, all);

  double apart = 0;
  for (const ModuleEnergy& module : report.modules) apart += module.parts.per_cycle(period);
  if (!report.modules.empty()) text += "\n  by module\n";
  for (const ModuleEnergy& module : report.modules) {
    CellEnergy cells = module.parts.registers;
    cells += module.parts.logic;
    text += row(module.module, cells, module.parts.clock_net, period, apart);
  }
  if (!report.modules.empty())
    text +=
        fmt::format("  (modules kept apart: {} a cycle; flat synthesis optimises across them)\n",
                    engineering(apart, "J"));
  text +=
      "\n  not counted: wires, clock tree buffers, glitches (gates have no delay); what drives the "
      "inputs\n";
  for (const auto& note : report.notes) text += fmt::format("  note: {}\n", note);
  return text;
}

}  // namespace weft::synth
