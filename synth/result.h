// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "synth/fpga/fpga_use.h"
#include "synth/macro.h"

namespace weft::synth {

/// All cells of one type.
struct CellUse {
  std::uint64_t count = 0;
  double area_um2 = 0;  ///< of all of them
  bool operator==(const CellUse&) const = default;
};

/// What a module contributes by itself, without the modules that it contains, over all its
/// instances; measured without flattening.
struct ModuleUse {
  std::uint64_t instances = 0;
  std::uint64_t cells = 0;
  std::uint64_t registers = 0;
  double area_um2 = 0;
  bool operator==(const ModuleUse&) const = default;
};

/// One gate of the critical path.
struct Stage {
  std::string pin;   ///< the output pin that the signal leaves by, or the port
  std::string cell;  ///< the library cell; "in" and "out" for ports
  char edge = '^';   ///< '^' rising, 'v' falling
  double delay_ns = 0;
  double arrival_ns = 0;  ///< since the launching clock edge
  bool operator==(const Stage&) const = default;
};

/// The longest path between registers and ports.
struct CriticalPath {
  std::string start;  ///< a port, or the register bit by the name of its output
  std::string end;
  std::vector<Stage> stages;
  bool operator==(const CriticalPath&) const = default;
};

/// What synthesis of a design found.
struct Result {
  /// Whether paths were timed, and all of them fit in the clock period that was asked for.
  [[nodiscard]] bool meets_timing() const { return timed() && slack_ns >= 0; }
  [[nodiscard]] bool timed() const { return !fpga || fpga->routed; }

  std::string top;
  std::map<std::string, std::string> parameters;  ///< overrides of the top module's
  std::string target;
  std::string recipe;  ///< see load_recipe
  std::string driving_cell;
  double load_ff = 0;
  double clock_ns = 0;  ///< the period that was asked for

  double area_um2 = 0;  ///< sum of the cells' areas: no wiring, no utilisation factor
  std::uint64_t cells = 0;
  std::uint64_t registers = 0;  ///< flip-flop bits

  /// Shortest clock period that the worst path allows: clock to output, logic and setup time.
  /// Zero for a design without paths.
  double critical_path_ns = 0;
  double slack_ns = 0;      ///< clock_ns - critical_path_ns
  double fmax_mhz = 0;      ///< 1000 / critical_path_ns
  double abc_delay_ns = 0;  ///< ABC's estimate of the logic alone, as a cross-check; zero if none
  CriticalPath path;

  std::uint64_t macs = 0;       ///< given by the caller; zero if the design has none
  double area_per_mac_um2 = 0;  ///< zero if macs is

  /// On FPGA targets; there no cell has an area, and unless the design was routed no path a delay.
  std::optional<FpgaUse> fpga;

  std::map<std::string, CellUse> by_cell;
  std::map<std::string, ModuleUse> by_module;
  std::map<std::string, std::uint64_t> macros;  ///< instances in the netlist of each Macro::cell
  std::vector<Arc> arcs;                        ///< if they were asked for
  /// Where instances of a macro are spared: the critical path without the paths through the macro.
  std::optional<double> spared_path_ns;
  /// Of a composed design whose critical path is an estimate: the upper bound; spared_path_ns is
  /// the lower one.
  std::optional<double> longest_path_ns;

  std::vector<std::string> warnings;
  std::map<std::string, std::string> tool_versions;
  double cpu_seconds = 0;  ///< of the tools, when they ran
  double peak_rss_mib = 0;
  std::string digest;   ///< of everything that the numbers depend on
  bool cached = false;  ///< nothing ran: the result was there

  std::filesystem::path directory;   ///< where the files of the run are
  std::vector<std::string> scripts;  ///< relative to `directory`; `sh run.sh` repeats the run
};

/// The JSON that `--json` gives, and its inverse (throws nlohmann::json::exception).
nlohmann::ordered_json to_json(const Result& result);
Result result_from_json(const nlohmann::ordered_json& json);

/// The totals and the critical path, for people.
std::string summary(const Result& result);

/// A table for people.
std::string to_text(const Result& result);

}  // namespace weft::synth
