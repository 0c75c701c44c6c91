// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "arch/numerics/matrix.h"
#include "arch/tensor_array.h"
#include "arch/workload/layer.h"

namespace weft::verif {

/// Random operands of a layer's products, drawn when they are needed: uniform over the formats in
/// which the array takes them; a convolution's are those of random images and filters.
class LayerOperands {
 public:
  /// `layer` must outlive this.
  LayerOperands(const arch::TensorArray& array, const arch::Layer& layer, std::uint64_t seed);

  /// Those of product `index`: of a convolution, group index % groups of image index / groups.
  /// Indices ascend from 0.
  std::pair<arch::Operands, arch::Operands> operator()(std::int64_t index);

 private:
  const arch::Layer& layer_;
  arch::IntFormat a_format_;
  arch::IntFormat b_format_;
  std::uint64_t seed_;
  std::vector<std::int32_t> input_;
  std::vector<std::int32_t> weights_;
};

}  // namespace weft::verif
