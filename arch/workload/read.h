// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "arch/workload/layer.h"

namespace weft::arch {

/// A workload as read, with what was read differently from how it may have been meant.
struct WorkloadFile {
  Workload workload;
  std::vector<std::string> warnings;  ///< for the terminal, "file:line: ..."
};

/// Reads a workload: weft's YAML (or JSON), or a SCALE-Sim topology CSV, convolution or GEMM
/// (docs/workloads.md). The extension decides (.yaml .yml .json .csv), else the content.
/// @throws UserError with all problems of the file, "file:line:column: field: what".
[[nodiscard]] WorkloadFile read_workload(const std::filesystem::path& path);

/// The same for text in memory; `file` is used in messages, for the format, and for the name of a
/// workload without one.
[[nodiscard]] WorkloadFile parse_workload(std::string_view text, const std::filesystem::path& file);

/// The file that `name` means on a command line: an existing path, or the preset of that name in
/// the folder `presets`.
/// @throws UserError when it is neither; the message lists the presets.
[[nodiscard]] std::filesystem::path find_workload(const std::string& name,
                                                  const std::filesystem::path& presets);

}  // namespace weft::arch
