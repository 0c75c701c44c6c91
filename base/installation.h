// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace weft::base {

/// The version of weft, for example "0.1.0".
[[nodiscard]] std::string_view version();

/// Where the files that weft reads at run time lie: `../share/weft` seen from the directory of the
/// running executable. An installed prefix can therefore be moved; the build tree has the same
/// shape.
[[nodiscard]] std::filesystem::path data_directory();

/// For programs that are not weft's own, which find it otherwise. Before anything is read.
void set_data_directory(std::filesystem::path directory);

}  // namespace weft::base
