// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "arch/config.h"
#include "arch/workload/read.h"

namespace weft::workbench {

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

/// Who is told what is legal but odd, a line each.
using Warn = std::function<void(const std::string&)>;

/// Reads the configuration that `argument` means: a file, or else the preset of that name. Throws
/// UserError.
[[nodiscard]] arch::Config load_configuration(const std::string& argument, const Warn& warn);

/// The same for a workload.
[[nodiscard]] arch::Workload load_workload(const std::string& argument, const Warn& warn);

}  // namespace weft::workbench
