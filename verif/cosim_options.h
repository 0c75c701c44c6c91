// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "verif/dut_builder.h"

namespace weft::verif {

/// What a co-simulation is to do, whatever the design is.
struct CosimOptions {
  std::uint64_t seed = 1;
  std::uint64_t transactions = 1000;  ///< random ones (tiles, packets), behind the directed ones
  std::optional<std::uint64_t> scenario;       ///< only this one, to reproduce a failure
  std::optional<std::filesystem::path> trace;  ///< FST file; needs a build of its own, and is slow
  BuildOptions build;
  std::string command = "weft cosim";                ///< how a reproduction line begins
  std::function<void(const std::string&)> progress;  ///< is told about long steps; may be empty
};

}  // namespace weft::verif
