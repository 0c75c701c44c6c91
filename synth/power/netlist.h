// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "synth/power/power_library.h"

namespace weft::synth {

/// A wire of a netlist. 0 and 1 are the constants.
using Net = std::uint32_t;

/// A library cell in a netlist.
struct NetlistCell {
  const PowerCell* type = nullptr;
  std::vector<Net> nets;     ///< by pin of the type; unconnected inputs are 0
  std::string name;          ///< of the instance, with the instances that it lies in: u_grid._12_
  std::uint32_t module = 0;  ///< the module that it stands in: index of Netlist::modules
};

/// A bit of a port: `data_i[3]`, or `valid_i`.
struct NetlistPort {
  std::string name;
  Net net = 0;
};

/// A mapped design without hierarchy: every cell is one of the library's.
struct Netlist {
  std::vector<NetlistCell> cells;
  std::vector<NetlistPort> inputs;
  std::vector<NetlistPort> outputs;
  std::vector<std::string> net_names;  ///< one of each net's; its size is the number of nets
  std::vector<std::string> modules;    ///< names, parameters left out; the top is the first

  /// The input of a name; a port of one bit may be asked for as `tag` or `tag[0]`.
  [[nodiscard]] std::optional<std::size_t> find_input(std::string_view name) const;
  [[nodiscard]] std::optional<std::size_t> find_output(std::string_view name) const;
};

/// Reads the structural Verilog that Yosys writes (write_verilog -noattr -noexpr) and flattens it.
/// `library` must outlive the netlist. Undefined constants are 0. Throws ToolError, naming `file`
/// and line, for anything that such a netlist does not hold, and for cells that are neither in the
/// library nor modules.
Netlist read_netlist(std::string_view text, const std::string& file, const std::string& top,
                     const PowerLibrary& library);

}  // namespace weft::synth
