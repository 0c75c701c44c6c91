// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "arch/workload/read.h"

namespace weft::arch {

/// Reads a SCALE-Sim topology file (read.h, docs/workloads.md).
[[nodiscard]] WorkloadFile parse_topology_csv(std::string_view text,
                                              const std::filesystem::path& file);

}  // namespace weft::arch
