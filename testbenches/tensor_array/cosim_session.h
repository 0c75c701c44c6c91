// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "arch/tensor_array.h"
#include "testbenches/tensor_array/array_bench.h"
#include "testbenches/tensor_array/cosim.h"

namespace weft::verif {

/// What all co-simulations of an array have in common: the built design on its bench, the clock,
/// the report.
class CosimSession {
 public:
  /// Builds the design.
  CosimSession(const arch::TensorArray& array, const ArrayRtl& rtl, const CosimOptions& options);

  ArrayBench& bench() { return *bench_; }

  /// The report so far. Totals, cycles and times are brought up to date.
  CosimReport& report();

  /// Notes a mismatch that is not the scoreboard's, or adds context to the scoreboard's: `text`
  /// says where and what, `arguments` are those of the command line that reproduces it.
  void fail(TestReport::Case& test, const std::string& text, const std::string& arguments);

  /// Tells the user about progress, at most once a second; `text()` makes the message.
  void progress(const std::function<std::string()>& text);

 private:
  using Clock = std::chrono::steady_clock;

  CosimOptions options_;
  CosimReport report_;
  std::unique_ptr<ArrayBench> bench_;
  Clock::time_point start_;
  Clock::time_point told_;
};

}  // namespace weft::verif
