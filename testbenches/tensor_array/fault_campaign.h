// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/tensor_array.h"
#include "testbenches/tensor_array/cosim.h"
#include "verif/fault_campaign.h"
#include "verif/faults.h"

namespace weft::verif {

/// Plants the faults one by one and co-simulates each. Every fault should be noticed.
[[nodiscard]] std::vector<FaultResult> run_fault_campaign(const arch::TensorArray& array,
                                                          const ArrayRtl& rtl,
                                                          const std::vector<Fault>& faults,
                                                          const CosimOptions& options = {});

}  // namespace weft::verif
