// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::synth {

/// `bytes` as a gzip file: the same bytes give the same file (no name, no time in its header).
[[nodiscard]] std::string gzip(std::string_view bytes);

/// The content of a gzip file; nothing if it is not one, is cut off, or its checksum is wrong.
[[nodiscard]] std::optional<std::string> gunzip(std::string_view file);

}  // namespace weft::synth
