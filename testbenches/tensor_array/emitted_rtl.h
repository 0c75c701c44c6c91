// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/tensor_array.h"
#include "testbenches/tensor_array/cosim.h"

namespace weft::verif {

/// The RTL that weft generates for an array.
[[nodiscard]] ArrayRtl emitted_rtl(const arch::TensorArray& array);

}  // namespace weft::verif
