// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "synth/result.h"

namespace weft::synth {

/// Cells of a module by type. Instances of other modules count as cells of that type.
using CellCounts = std::map<std::string, std::uint64_t>;

/// Reads the output of Yosys' `stat -json`: the cells of each module. Module names lose the
/// escaping backslash. Throws ToolError if it is not that.
std::map<std::string, CellCounts> read_stat_json(const std::string& text);

/// The total of Yosys' `stat -liberty`; nothing if no cell has an area.
std::optional<double> read_chip_area(const std::string& text);

/// ABC's own estimate of the longest path in Yosys' log: combinational, without setup time.
/// Nothing if ABC had no logic to map.
std::optional<double> read_abc_delay_ns(const std::string& log);

/// The first name that a module had in the Verilog: `pe` for `$paramod\pe\W=s32'...`.
std::string base_module_name(const std::string& name);

/// What OpenSTA found.
struct Timing {
  std::optional<double> slack_ns;  ///< of the worst path; nothing if no path ends at a check
  std::string start;               ///< pin or port
  std::string end;
  std::vector<Stage> stages;
  /// Worst slack by ports; "" for the registers.
  struct Arc {
    std::string from;
    std::string to;
    double slack_ns = 0;
  };
  std::vector<Arc> arcs;
  std::optional<double> spared_slack_ns;  ///< see Result::spared_path_ns
  int unclocked_registers = 0;
  int loops = 0;
};

/// Reads the output of the timing script. Throws ToolError with the message if OpenSTA reported an
/// error (it goes on after errors and exits with status 0) or did not reach the end of the script.
Timing read_timing(const std::string& log, const std::string& log_path);

/// What a pin of an instance is connected to in a netlist that Yosys wrote; empty if the instance
/// or the pin is not there.
std::string connected_net(std::string_view netlist, const std::string& cell,
                          const std::string& instance, const std::string& pin);

}  // namespace weft::synth
