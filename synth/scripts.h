// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "synth/macro.h"
#include "synth/recipes/recipe.h"
#include "synth/target.h"

namespace weft::synth {

/// Changes whenever the flow can give other numbers for the same input: part of every cache key.
inline constexpr const char* flow_version = "2";

/// Files of a run, relative to its directory. docs/synthesis.md describes them.
namespace files {
/// Copies of the Verilog: a directory, named so that it is not one of the user's.
inline constexpr const char* sources = "synth_sources";
inline constexpr const char* library = "library.lib";
inline constexpr const char* library_packed = "library.lib.gz";
inline constexpr const char* constraints = "abc.constr";
inline constexpr const char* synthesis_script = "synth.ys";
inline constexpr const char* synthesis_log = "synth.log";
inline constexpr const char* hierarchy_script = "hierarchy.ys";
inline constexpr const char* hierarchy_log = "hierarchy.log";
inline constexpr const char* timing_script = "sta.tcl";
inline constexpr const char* timing_log = "sta.log";
inline constexpr const char* run_script = "run.sh";
inline constexpr const char* modules = "modules.json";
inline constexpr const char* clocks = "clocks.txt";
inline constexpr const char* cells = "cells.json";
inline constexpr const char* area = "area.txt";
inline constexpr const char* netlist = "netlist.v";
inline constexpr const char* hierarchy = "hierarchy.json";
inline constexpr const char* fpga_script = "fpga.ys";
inline constexpr const char* fpga_log = "fpga.log";
inline constexpr const char* memories = "memories.json";
inline constexpr const char* block_rams = "block_rams.txt";
inline constexpr const char* lut_rams = "lut_rams.txt";
inline constexpr const char* fpga_netlist = "netlist.json";
inline constexpr const char* route_log = "route.log";
inline constexpr const char* routed = "routed.asc";
inline constexpr const char* icetime_log = "icetime.log";
inline constexpr const char* module_netlist = "modules.v";
inline constexpr const char* report = "report.json";
/// Of composed designs: directories for what the modules hold, and for each block.
inline constexpr const char* survey = "survey";
inline constexpr const char* blocks = "blocks";
/// The flat run that a composed design is compared with.
inline constexpr const char* flat = "flat";
/// Of designs with macros only: what Yosys and OpenSTA are to know of them, and how many there are.
inline constexpr const char* macro_verilog = "macros.v";
inline constexpr const char* macro_library = "macros.lib";
inline constexpr const char* macro_counts = "macros.json";
}  // namespace files

/// What the scripts say about a design.
struct Design {
  std::vector<std::string> sources;  ///< relative to the directory of the run
  std::string top;
  std::map<std::string, std::string> parameters;
  double clock_ns = 0;
  std::vector<std::string> clock_ports;  ///< empty: those that Yosys finds at the registers
  std::vector<Macro> macros;
  bool arcs = false;  ///< measure the paths between ports and registers
  Recipe recipe;
  std::string yosys = "yosys";  ///< the executable
};

/// A call of a tool. `log` takes its output.
struct Step {
  std::vector<std::string> argv;
  std::string log;
};

Step synthesis_step(const std::string& yosys);
Step hierarchy_step(const std::string& yosys);
Step timing_step();

/// The commands that read the Verilog and elaborate the top module.
std::string read_and_elaborate(const Design& design);

/// The scripts by file name. They use relative names only: the directory can be moved.
std::map<std::string, std::string> flow_scripts(const Design& design, const Target& target);

}  // namespace weft::synth
