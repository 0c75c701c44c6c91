// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "synth/folder_lock.h"
#include "synth/macro.h"
#include "synth/recipes/recipe.h"
#include "synth/result.h"
#include "synth/target.h"

namespace weft::synth {

/// A design to synthesise, and how. Only the first two and output_directory must be given.
struct Request {
  /// Verilog files; `.sv` files are read as SystemVerilog, `.vh` and `.svh` files only where they
  /// are included.
  std::vector<std::filesystem::path> verilog;
  std::string top;
  /// Overrides of the top module's parameters: integers or sized literals ("16", "-3", "8'hff").
  std::map<std::string, std::string> parameters;

  /// Cell libraries (see load_target), or the name of an FPGA (see fpga_devices).
  std::string target = "osu018";
  TargetOptions target_options;
  RecipeOptions recipe;
  std::string yosys = "yosys";  ///< the executable: a name in PATH or a path
  double clock_ns = 5.0;
  /// The clock inputs; empty: all inputs that are connected to the clock pin of a register. Several
  /// clocks are taken to be one: same period, same phase.
  std::vector<std::string> clock_ports;

  /// Scripts, logs, reports and the netlist go here; existing ones are replaced. Runs that share a
  /// directory wait for each other.
  std::filesystem::path output_directory;
  /// The output directory, if the caller holds it: to write the Verilog there, or to read files of
  /// the run when it is over. Else it is held during the run only.
  std::shared_ptr<const FolderLock> held_directory;
  /// Results of former runs; empty: none are kept.
  std::filesystem::path cache_directory;

  /// Instances that stay black boxes. Their modules need no Verilog beside their interfaces, and
  /// their cells are counted in Result::macros, without an area.
  std::vector<Macro> macros;
  /// Also measure the paths between the ports and the registers: Result::arcs.
  bool arcs = false;

  /// On FPGA targets that can: also place and route, for the clock.
  bool place_and_route = false;

  std::uint64_t macs = 0;  ///< multiply-accumulate units of the design, for area_per_mac_um2
  /// Also synthesise without flattening, for Result::by_module; costs as much as flat synthesis
  /// where one module is most of the design.
  bool by_module = true;

  std::chrono::milliseconds timeout{0};  ///< of each tool; zero: none
  std::uint64_t memory_limit_bytes = 0;  ///< of each tool; zero: none
  /// Is told what is about to be done, one line at a time.
  std::function<void(std::string_view)> progress;
};

/// Synthesises a design flat, maps it to the target's cells, and analyses its timing
/// (docs/synthesis.md). The same request with the same tools gives the same numbers.
///
/// Throws UserError if the request or the Verilog is wrong, or the design holds something that the
/// target has no cell with an area for (latches, for instance); ToolError if a tool is missing, too
/// old, fails or is killed. Then the scripts and logs are kept in the output directory, but no
/// report and no half-written result.
Result run(const Request& request);

/// Reads a clock period: "5ns", "800 ps", "0.002us", or a plain number of nanoseconds. Gives
/// nanoseconds. Throws UserError unless it is a positive time of 1 ps to 1 ms.
double parse_period(std::string_view text);

}  // namespace weft::synth
