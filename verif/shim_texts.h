// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weft::verif {

/// The text of verif/shim/dut_abi.h, as it was when weft was built.
[[nodiscard]] std::string shim_abi_text();

/// The text of verif/shim/stream_loop.h.
[[nodiscard]] std::string shim_loop_text();

/// The text of verif/shim/plain_compare.h.
[[nodiscard]] std::string shim_compare_text();

/// The text of verif/shim/runtime.cpp.
[[nodiscard]] std::string shim_runtime_text();

}  // namespace weft::verif
