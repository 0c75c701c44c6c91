// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::synth {

/// What stands for instances that are not synthesised with the design that holds them: a block that
/// is synthesised by itself, or a memory.
struct Macro {
  std::string cell;    ///< what its instances are called in the netlist
  std::string module;  ///< what they are called before: a module, or `$mem_v2`, Yosys' memory
  std::map<std::string, std::int64_t> parameters;  ///< tell them from others of the same module
  std::map<std::string, std::int64_t> defaults;    ///< of parameters that instances may leave out
  std::string interface;                           ///< Verilog: an empty module with the ports
  std::string liberty;                             ///< its timing, a `cell` group
  /// Instances, directly in the top, that are not replaced but synthesised with what surrounds
  /// them: then `interface` is that of `cell`, without parameters. Empty: all are replaced.
  std::vector<std::string> spared;
};

/// The worst path between two ports of a block, between a port and its registers, or between its
/// registers. Bits of a port are taken together.
struct Arc {
  std::string from;  ///< a port, or "" for the registers
  std::string to;    ///< a port, or "" for the registers
  /// From the clock edge or the arrival at the input to the output, or to the register with its
  /// setup time.
  double delay_ns = 0;
  bool operator==(const Arc&) const = default;
};

}  // namespace weft::synth
