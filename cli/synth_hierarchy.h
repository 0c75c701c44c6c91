// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rtl_gen/emit/emission.h"
#include "synth/hierarchy.h"

namespace weft::cli {

/// A generated design as synthesis wants to know it.
[[nodiscard]] synth::Hierarchy hierarchy_of(const rtl::Emission& emission);

}  // namespace weft::cli
