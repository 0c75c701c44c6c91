// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "arch/tensor_array.h"
#include "rtl_gen/hdl/hdl.h"

// The modules of a tensor array, one function each. `name` is the array's; a module is called
// `name` and a suffix. Timing: docs/tensor_array.md.

namespace weft::rtl {

/// `name_grid`: the PEs of a weight- or input-stationary array, as one in-place block; or as two
/// blocks a row with clocks of their own, with `clock_gate`.
hdl::Module& add_stationary_grid(hdl::Design& design, const arch::TensorArray& array,
                                 const hdl::Module* clock_gate = nullptr);

/// `name_clock_gate`: what `clock_gating` switches clocks with.
hdl::Module& add_clock_gate(hdl::Design& design, const arch::TensorArray& array);

/// `name_grid`: the PEs of an output-stationary array, as one in-place block; or as a block a row
/// with a clock of its own, with `clock_gate`.
hdl::Module& add_output_grid(hdl::Design& design, const arch::TensorArray& array,
                             const hdl::Module* clock_gate = nullptr);

/// `name_skew`: delays lane i by h(i) cycles, or reversed by h(LANES - 1) - h(i).
hdl::Module& add_skew(hdl::Design& design, const arch::TensorArray& array);

/// `name_loader`: which row takes a load beat, when tiles are loaded and when the array switches.
hdl::Module& add_loader(hdl::Design& design, const arch::TensorArray& array);

/// `name_drain`: when tiles end, clear and leave an output-stationary array.
hdl::Module& add_drain(hdl::Design& design, const arch::TensorArray& array);

}  // namespace weft::rtl
