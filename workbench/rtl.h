// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "rtl_gen/emit/emission.h"
#include "verif/dut_builder.h"

namespace weft::workbench {

/// The emitted Verilog as co-simulation takes it.
[[nodiscard]] verif::Rtl rtl_of(const rtl::Emission& emission);

/// Where the images and networks of the handwritten digits lie.
[[nodiscard]] std::filesystem::path digits_folder();

}  // namespace weft::workbench
