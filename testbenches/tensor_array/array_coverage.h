// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/tensor_array.h"
#include "systemc_models/tensor_array_predictor.h"
#include "testbenches/tensor_array/stimuli.h"
#include "verif/coverage.h"

namespace weft::verif {

/// The corners that a tensor array's stimuli should reach, counted from what was really driven.
class ArrayCoverage {
 public:
  explicit ArrayCoverage(const arch::TensorArray& array);

  /// Counts what a scenario reached; `prediction` is what it made the array do.
  void record(const Scenario& scenario, const models::Prediction& prediction);

  [[nodiscard]] const Coverage& corners() const { return coverage_; }

 private:
  void record_sizes(const Scenario& scenario);
  void record_flow(const Scenario& scenario, const models::Prediction& prediction);

  int unit_;
  bool output_stationary_;
  Coverage coverage_;
};

}  // namespace weft::verif
