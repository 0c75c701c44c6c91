// SPDX-License-Identifier: Apache-2.0
#include "arch/timing/array_timing.h"

#include <algorithm>

namespace weft::arch {

ArrayTiming::ArrayTiming(const TensorArray& array)
    : pe_registers(array.pe_registers),
      row_hops(hops(array.rows - 1)),
      col_hops(hops(array.cols - 1)),
      pipeline_stages(array.multiplier_stages + array.adder_stages),
      latency(row_hops + col_hops + pipeline_stages + 2) {
  if (array.output_stationary()) return;
  load_beats = (array.rows + array.load_rows_per_cycle - 1) / array.load_rows_per_cycle;
  for (int row = 0; row < array.rows; ++row) {
    load_guard = std::max(load_guard, hops(row) - row / array.load_rows_per_cycle);
  }
}

}  // namespace weft::arch
