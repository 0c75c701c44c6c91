// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace weft::verif {

/// The C++ headers of verif/shim/ that are compiled into every DUT, as they were when weft was
/// built: name and text.
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& shim_headers();

/// The text of verif/shim/runtime.cpp.
[[nodiscard]] std::string shim_runtime_text();

}  // namespace weft::verif
