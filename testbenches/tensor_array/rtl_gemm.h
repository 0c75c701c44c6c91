// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "arch/numerics/matrix.h"
#include "arch/tensor_array.h"
#include "arch/workload/layer.h"
#include "testbenches/tensor_array/cosim.h"
#include "testbenches/tensor_array/cosim_session.h"

namespace weft::verif {

/// Matrix products computed by an array's RTL, while every result element and every cycle is
/// compared with the model.
class RtlGemm {
 public:
  RtlGemm(const arch::TensorArray& array, const ArrayRtl& rtl, const CosimOptions& options = {});

  /// A x B as the RTL computed it: tiled as in docs/workloads.md, tiles' sums added exactly. A and
  /// B hold elements of the formats that GemmMapping::a_format and b_format give.
  [[nodiscard]] arch::Sums multiply(const arch::Operands& a, const arch::Operands& b);

  /// Gives the operands of product `index`, and takes its result.
  using Operands = std::function<std::pair<arch::Operands, arch::Operands>(std::int64_t index)>;
  using Result = std::function<void(std::int64_t index, arch::Sums&& c)>;

  /// `products` products of the same shape, their tiles back to back. Returns the clock cycles from
  /// reset up to and including the last result. `name` is what the user sees as progress.
  std::uint64_t multiply(const std::string& name, const arch::Gemm& gemm, std::int64_t products,
                         const Operands& operands, const Result& result);

  /// What was compared so far; the first mismatch, if any, is the scoreboard's.
  CosimReport& report() { return session_.report(); }
  CosimSession& session() { return session_; }

 private:
  arch::TensorArray array_;
  CosimSession session_;
};

}  // namespace weft::verif
