// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "arch/tensor_array.h"
#include "arch/workload/layer.h"
#include "testbenches/activity/recording.h"
#include "testbenches/tensor_array/cosim.h"

namespace weft::verif {

/// Classifies the handwritten digits on the RTL of an array (digits::run_digits_cosim) and records
/// its ports. Both streams offer whenever they can, results are always taken; while a source has
/// nothing to offer its payload stays what it was. Layers follow each other without a reset.
///
/// Skew registers that are outside (skew: external) are in the bench: they drive the lanes, but are
/// no part of the design, nor of its energy.
///
/// Every product is compared with the golden arithmetic. Throws ToolError if one differs; UserError
/// if no network fits the array.
[[nodiscard]] Recording record_digits(const arch::TensorArray& array, const ArrayRtl& rtl,
                                      const std::filesystem::path& folder,
                                      const RecordingOptions& options = {});

/// The same for the layers of a workload, with random operands (LayerOperands). When
/// options.most_cycles is reached the rest of the workload is left out.
[[nodiscard]] Recording record_workload(const arch::TensorArray& array, const ArrayRtl& rtl,
                                        const arch::Workload& workload,
                                        const RecordingOptions& options = {});

}  // namespace weft::verif
