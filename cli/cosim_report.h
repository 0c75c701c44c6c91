// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbenches/digits/digits_cosim.h"
#include "testbenches/switch/cosim.h"
#include "testbenches/tensor_array/cosim.h"
#include "testbenches/tensor_array/workload_cosim.h"

namespace weft::cli {

/// What a co-simulation found, for people: the verdict in the first line; the first mismatch and
/// the command that shows it, if there is one.
[[nodiscard]] std::string to_text(const verif::CosimReport& report);
[[nodiscard]] std::string to_text(const verif::WorkloadReport& report);
[[nodiscard]] std::string to_text(const digits::DigitsReport& report);
[[nodiscard]] std::string to_text(const verif::SwitchCosimReport& report);

}  // namespace weft::cli
