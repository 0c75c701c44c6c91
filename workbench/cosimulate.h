// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "arch/config.h"

namespace weft::workbench {

/// Compares the RTL of a design with its model: random transactions or, of tensor arrays, a
/// workload (file, preset, or "digits"). What `weft cosim --json` gives for the kind; `status` is
/// "pass" or "fail". Throws UserError if the kind takes no workload, ToolError when the design
/// cannot be built or run.
[[nodiscard]] nlohmann::ordered_json cosimulate(const arch::Config& config,
                                                const std::string& workload,
                                                std::uint64_t transactions, std::uint64_t seed,
                                                const std::filesystem::path& cache);

}  // namespace weft::workbench
