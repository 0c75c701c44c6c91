// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "arch/config.h"
#include "arch/workload/read.h"

namespace weft::cli {

/// A ready-made file that comes with weft.
struct Preset {
  std::string name;
  std::filesystem::path file;

  /// What it is: the file begins with a comment of one line that says so, below that of its
  /// licence.
  [[nodiscard]] std::string description() const;
};

/// All configurations, and all workloads, that come with weft, by name.
[[nodiscard]] std::vector<Preset> preset_configurations();
[[nodiscard]] std::vector<Preset> preset_workloads();

/// Reads the configuration that an argument of the command line means: a file, or else the preset
/// of that name. What is odd about it is told on stderr. Throws UserError.
[[nodiscard]] arch::Config load_configuration(const std::string& argument);

/// The same for a workload. What is odd about the file is told on stderr.
[[nodiscard]] arch::Workload load_workload(const std::string& argument);

}  // namespace weft::cli
