// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/tensor_array.h"
#include "testbenches/tensor_array/cosim.h"

namespace weft::verif {

/// The Verilog that the generator emits for `array`.
[[nodiscard]] ArrayRtl emitted_rtl(const arch::TensorArray& array);

/// The Verilog that it emits for `emitted`, re-elaborated as `array` by overriding the top's
/// Verilog parameters. The two may differ in sizes, widths and depths only; what is structure
/// (dataflow, signedness, buffers, overflow, skew) must be the same.
[[nodiscard]] ArrayRtl emitted_rtl(const arch::TensorArray& emitted,
                                   const arch::TensorArray& array);

}  // namespace weft::verif
