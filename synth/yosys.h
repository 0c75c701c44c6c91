// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weft::synth {

/// A Yosys to synthesise with.
struct Yosys {
  std::string command;  ///< what scripts call: `yosys`, or an absolute path
  std::string banner;   ///< its version: part of every cache key
};

/// Finds Yosys: a name in PATH or the path of an executable. Throws ToolError if it is not there,
/// not Yosys, or older than 0.23.
Yosys find_yosys(const std::string& name_or_path);

}  // namespace weft::synth
