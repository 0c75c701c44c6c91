// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "arch/workload/layer.h"

namespace weft::arch {

/// Reads a workload in weft's YAML (read.h, docs/workloads.md).
[[nodiscard]] Workload parse_workload_yaml(std::string_view text,
                                           const std::filesystem::path& file);

}  // namespace weft::arch
