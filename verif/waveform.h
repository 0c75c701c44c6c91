// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace weft::verif {

/// Whether an FST file is there from its header to its end. Verilator's writer says nothing when
/// the disk is full: what it leaves then cannot be read.
[[nodiscard]] bool is_whole_waveform(const std::filesystem::path& path);

}  // namespace weft::verif
