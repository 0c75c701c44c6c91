// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/tensor_array.h"

namespace weft::arch {

/// The constants of an array's timing contract (docs/tensor_array.md, "Time"), in array cycles.
struct ArrayTiming {
  explicit ArrayTiming(const TensorArray& array);

  int pe_registers = 1;     ///< n
  int row_hops = 0;         ///< HR: hops down to the last row
  int col_hops = 0;         ///< HC: hops across to the last column
  int pipeline_stages = 0;  ///< S: registers inside a PE between its operands and its sum
  int latency = 0;          ///< LATENCY = HR + HC + S + 2, from a vector's acceptance to its result
  int load_beats = 0;       ///< B: beats of a stationary tile; 0 for output stationary
  int load_guard = 0;  ///< G: cycles a load keeps behind the vectors ahead; 0 for output stationary

  /// h(i): forward registers between PE row (or column) 0 and row (or column) `index`.
  [[nodiscard]] int hops(int index) const { return index / pe_registers; }
};

}  // namespace weft::arch
