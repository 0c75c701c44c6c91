// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "arch/tensor_array.h"
#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// Builds the modules of a tensor array; the last one is the top, named `array.name`. The contract
/// of its ports and times is docs/tensor_array.md. Same array, same text.
hdl::Design build_tensor_array(const arch::TensorArray& array, const hdl::Provenance& provenance);

}  // namespace weft::rtl
