// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl::hdl::test {

// Modules as generators write them, for lint and behaviour tests.

/// WIDTH: a registered valid/ready stage of two beats.
Module& add_skid_buffer(Design& design);
/// DEPTH (any), WIDTH: a first-word-fall-through FIFO over a memory.
Module& add_fifo(Design& design);
/// ROWS, WIDTH: lane r leaves r cycles after it entered.
Module& add_skew(Design& design);
/// ROWS, COLS, WIDTH: two-dimensional arrays, functions, case, instances in nested loops.
Module& add_grid(Design& design);

}  // namespace weft::rtl::hdl::test
