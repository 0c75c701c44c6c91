// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/tensor_array.h"
#include "arch/workload/layer.h"
#include "testbenches/tensor_array/cosim.h"

namespace weft::verif {

/// One layer on the RTL.
struct LayerRun {
  std::string name;
  std::uint64_t cycles = 0;     ///< clock cycles that the RTL took
  std::uint64_t estimated = 0;  ///< what the estimator says; the same, or the run failed
  std::uint64_t wrong = 0;      ///< elements of the products that are not what they must be
};

/// A co-simulation of whole layers.
struct WorkloadReport {
  CosimReport cosim;  ///< transactions are tiles, tests are layers
  std::vector<LayerRun> layers;

  [[nodiscard]] bool passed() const { return cosim.passed(); }
};

/// Runs every layer of `workload` through the RTL with random operands (convolutions: random images
/// and filters). Compares every result element and cycle with the model, the layers' matrix
/// products with their exact values, and the layers' cycles with the estimator's. Stops after the
/// first layer that fails. `workload_argument` is what the user gave for it, for the reproduction
/// line.
[[nodiscard]] WorkloadReport run_workload_cosim(const arch::TensorArray& array, const ArrayRtl& rtl,
                                                const arch::Workload& workload,
                                                const std::string& workload_argument,
                                                const CosimOptions& options = {});

/// As to_json(CosimReport), with `layers`.
[[nodiscard]] nlohmann::ordered_json to_json(const WorkloadReport& report);

}  // namespace weft::verif
