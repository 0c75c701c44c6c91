// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "arch/config.h"
#include "arch/workload/layer.h"

namespace weft::cli {

/// Reads what an argument of the command line means: a file, or else the preset of that name. What
/// is odd about it is told on stderr. Throws UserError.
[[nodiscard]] arch::Config load_configuration(const std::string& argument);
[[nodiscard]] arch::Workload load_workload(const std::string& argument);

}  // namespace weft::cli
