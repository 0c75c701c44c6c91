// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "arch/tensor_array.h"
#include "arch/traffic.h"
#include "systemc_models/tensor_array_predictor.h"

namespace weft::models::testing {

/// Simulates the hardware that docs/tensor_array.md describes, register by register and clock cycle
/// by clock cycle: input registers, skew and hop registers, weight chains, accumulators, drain
/// registers, flags that travel with the data. It knows none of the contract's formulas for
/// results; it shows them to be true of a structure that can be built. Slow and obvious.
///
/// Registers that reset does not clear start with arbitrary values. Throws std::logic_error when
/// two events want to write the same register.
Prediction simulate(const arch::TensorArray& array, const arch::Traffic& traffic,
                    std::optional<std::uint64_t> reset_cycle = std::nullopt);

}  // namespace weft::models::testing
