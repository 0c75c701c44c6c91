// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::synth {

/// A port of a module at given parameters.
struct BlockPort {
  std::string name;
  std::int64_t width = 1;
  bool is_input = true;
};

/// An instance and what it contains. Equal ones beside each other are one entry with a count.
struct Instance {
  std::string name;                ///< with generate blocks, without their indices: `row.u_pe`
  std::vector<std::string> first;  ///< the first two of them, with the indices: `row[0].u_pe`
  std::string module;
  std::map<std::string, std::int64_t> parameters;  ///< all of the module's
  std::vector<BlockPort> ports;
  std::int64_t count = 1;  ///< times it occurs in its parent
  std::vector<Instance> children;
};

/// How area, cells and registers of a module grow with one of its parameters: a polynomial of
/// degree samples.size() - 1 from the first sample on.
struct GrowthLaw {
  std::string parameter;
  std::vector<std::int64_t> samples;  ///< sizes to measure, increasing
  std::string period;  ///< a parameter: sizes that differ by multiples of it are alike; may be ""
};

/// What is known of a module beside its Verilog.
struct ModuleFacts {
  std::map<std::string, std::int64_t> defaults;  ///< of its parameters
  std::string interface;                         ///< Verilog: parameters and ports, no contents
  std::vector<GrowthLaw> growth;
};

/// A design as its generator knows it. Each module is in a Verilog file `<module>.v` of its own.
struct Hierarchy {
  Instance top;
  std::map<std::string, ModuleFacts> modules;
};

}  // namespace weft::synth
