// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "verif/traffic/traffic.h"
#include "verif/traffic/traffic_spec.h"

namespace weft::verif {

/// Reads a trace: lines cycle,source,destination,flits[,class]; empty lines and those that begin
/// with '#' say nothing, a first line of the column names may be there. The cycles of one source do
/// not decrease. Throws UserError with all problems (the first ten), each as name:line: problem.
/// `id` is the number of the packet in the file, from 0.
[[nodiscard]] std::vector<Injection> parse_trace(std::string_view text, std::string_view name,
                                                 int nodes, const TraceLimits& limits = {});

/// Plays a trace file once.
[[nodiscard]] std::unique_ptr<Traffic> make_trace(const std::filesystem::path& file, int nodes,
                                                  const TraceLimits& limits = {});

}  // namespace weft::verif
