// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "verif/dut_description.h"
#include "verif/dut_library.h"

namespace weft::verif {

/// Verilator refused the Verilog, for an error or a warning.
class DesignRefused : public ToolError {
 public:
  using ToolError::ToolError;
};

/// How DUTs are built.
struct BuildOptions {
  std::filesystem::path
      cache;              ///< empty: $WEFT_CACHE, else $XDG_CACHE_HOME/weft, else ~/.cache/weft
  std::string verilator;  ///< empty: $WEFT_VERILATOR, else verilator_bin
  std::string compiler;   ///< empty: $WEFT_CXX, else clang++ where it is installed, else g++
  bool lint = true;       ///< warnings about the Verilog are errors
  bool trace = false;     ///< a build that can write waveforms; far slower
  /// Compiled without optimisation: built in a third of the time, ten times slower. For designs
  /// that run for some ten thousand cycles.
  bool quick = false;
};

/// A built DUT and what building it took.
struct BuiltDut {
  std::shared_ptr<const DutLibrary> library;
  std::string digest;   ///< SHA-256 of everything that determines the code
  bool cached = false;  ///< nothing had to be built
  double seconds = 0;   ///< wall time spent here
};

/// Verilates and compiles `description` unless the cache has it. Safe to call from several
/// processes and threads at once: one builds, the others wait for it.
///
/// Throws ToolError when a tool is missing, too old, fails the simulator probe, rejects the
/// Verilog, is killed or does not succeed otherwise; the log is kept and named.
[[nodiscard]] BuiltDut build_dut(const DutDescription& description,
                                 const BuildOptions& options = {});

}  // namespace weft::verif
