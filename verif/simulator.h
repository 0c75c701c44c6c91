// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "verif/build_cache.h"
#include "verif/dut_builder.h"
#include "verif/dut_description.h"

namespace weft::verif {

/// Verilator, a C++ compiler and the processor for which it compiles. Made once per build; making
/// it costs two version queries the first time in a process.
class Simulator {
 public:
  /// Finds the tools. Throws ToolError when one is missing or too old.
  explicit Simulator(const BuildOptions& options);

  /// Everything about tools and machine that changes what they build.
  [[nodiscard]] const std::string& identity() const { return identity_; }

  /// Refuses a Verilator that simulates legal Verilog wrongly (ToolError): runs a small module
  /// whose value is known, once per machine and identity.
  void probe(const BuildCache& cache) const;

  /// Verilates `dut` and compiles it with `shim` (C++ text that includes Vdut.h) into the shared
  /// object `directory`/dut.so. `directory` must be empty. Throws ToolError.
  void build(const DutDescription& dut, const std::string& shim, const BuildCache& cache,
             const std::filesystem::path& directory) const;

 private:
  /// Verilator's runtime library, compiled once per machine and identity.
  [[nodiscard]] std::filesystem::path runtime(const BuildCache& cache) const;
  [[nodiscard]] std::vector<std::string> compile_command(const std::string& optimization) const;

  std::string verilator_;
  std::string compiler_;
  std::filesystem::path include_;  ///< Verilator's include directory
  std::string identity_;
  bool lint_;
  bool trace_;
  bool quick_;
};

}  // namespace weft::verif
