// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/layer_operands.h"

#include <cstddef>
#include <variant>

#include "arch/workload/convolution.h"
#include "arch/workload/mapping.h"
#include "verif/random.h"

namespace weft::verif {
namespace {

std::vector<std::int32_t> random_elements(std::size_t count, const arch::IntFormat& format,
                                          Random& random) {
  std::vector<std::int32_t> elements(count);
  for (std::int32_t& element : elements) {
    element = static_cast<std::int32_t>(random.between(format.min(), format.max()));
  }
  return elements;
}

arch::Operands random_matrix(std::int64_t rows, std::int64_t cols, const arch::IntFormat& format,
                             Random& random) {
  arch::Operands matrix(rows, cols);
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int32_t& element : matrix.row(r)) {
      element = static_cast<std::int32_t>(random.between(format.min(), format.max()));
    }
  }
  return matrix;
}

}  // namespace

LayerOperands::LayerOperands(const arch::TensorArray& array, const arch::Layer& layer,
                             std::uint64_t seed)
    : layer_(layer),
      a_format_(arch::GemmMapping(array, layer.gemm()).a_format()),
      b_format_(arch::GemmMapping(array, layer.gemm()).b_format()),
      seed_(seed) {}

std::pair<arch::Operands, arch::Operands> LayerOperands::operator()(std::int64_t index) {
  Random random(seed_, static_cast<std::uint64_t>(index));
  const auto* conv = std::get_if<arch::Convolution>(&layer_.shape);
  if (conv == nullptr) {
    const arch::Gemm gemm = layer_.gemm();
    arch::Operands a = random_matrix(gemm.m, gemm.k, a_format_, random);
    arch::Operands b = random_matrix(gemm.k, gemm.n, b_format_, random);
    return {std::move(a), std::move(b)};
  }
  const std::int64_t group = index % conv->groups;
  if (group == 0) {
    input_ = random_elements(
        static_cast<std::size_t>(conv->batch * conv->channels * conv->height * conv->width),
        a_format_, random);
    weights_ =
        random_elements(static_cast<std::size_t>(conv->filters * (conv->channels / conv->groups) *
                                                 conv->kernel_height * conv->kernel_width),
                        b_format_, random);
  }
  return {arch::im2col(*conv, input_, group), arch::filter_matrix(*conv, weights_, group)};
}

}  // namespace weft::verif
