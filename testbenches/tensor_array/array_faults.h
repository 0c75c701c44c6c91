// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/tensor_array.h"
#include "verif/faults.h"

namespace weft::verif {

/// A small array on which every fault for its dataflow can show: odd and even sizes, load lanes
/// without a row, a load guard, a result wider than its sums.
[[nodiscard]] arch::TensorArray array_for_faults(arch::Dataflow dataflow);

/// Design errors to plant in the Verilog emitted for array_for_faults(dataflow): in control, flow,
/// reset, storage, timing, arithmetic and widths.
[[nodiscard]] std::vector<Fault> array_faults(arch::Dataflow dataflow);

/// Design errors of operand isolation, to plant in the Verilog of array_for_faults(dataflow) with
/// `operand_isolation`.
[[nodiscard]] std::vector<Fault> isolation_faults(arch::Dataflow dataflow);

/// Design errors of gated clocks, to plant in the Verilog of array_for_faults(dataflow) with
/// `clock_gating: per_row`.
[[nodiscard]] std::vector<Fault> gating_faults(arch::Dataflow dataflow);

}  // namespace weft::verif
