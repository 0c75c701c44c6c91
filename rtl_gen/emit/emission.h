// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arch/config.h"
#include "rtl_gen/hdl/design.h"

/// From a configuration to the files that a user gets.
namespace weft::rtl {

struct EmitOptions {
  double clock_ns = 5.0;  ///< clock period, for weft.sdc
};

/// Everything that is emitted for one configuration.
struct Emission {
  std::string top;                   ///< the top module
  std::vector<std::string> verilog;  ///< names of the .v files, a module behind those it needs
  /// The modules themselves, for those who want more than their text.
  std::shared_ptr<const hdl::Design> design;
  /// All files, name -> text: the .v files, manifest.json, weft.f, weft.core and weft.sdc.
  std::map<std::string, std::string> files;

  /// Bytes of all files.
  [[nodiscard]] std::size_t size() const;
};

/// Generates the files. Same configuration, options and version of weft: same bytes.
[[nodiscard]] Emission emit(const arch::Config& config, const EmitOptions& options = {});

/// Writes the files into `directory`, which is made if need be: all of them or, when one cannot be
/// written or a signal was caught, none. Verilog files that the manifest found there lists and that
/// are not emitted any more are removed. Throws UserError naming the path and the reason, or
/// Interrupted.
void write(const Emission& emission, const std::filesystem::path& directory);

}  // namespace weft::rtl
