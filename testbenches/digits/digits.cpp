// SPDX-License-Identifier: Apache-2.0
#include "testbenches/digits/digits.h"

#include <algorithm>
#include <cassert>

namespace weft::digits {

namespace {

/// value / 2^shift, halves rounded up, saturated to the format and, if asked, to zero from below.
std::int64_t requantise(std::int64_t value, int shift, bool relu, const arch::IntFormat& format) {
  const std::int64_t half = (std::int64_t{1} << shift) >> 1;
  return std::clamp((value + half) >> shift, relu ? 0 : format.min(), format.max());
}

}  // namespace

Matrix multiply(const Matrix& a, const Matrix& b) {
  assert(a.cols == b.rows);
  Matrix product(a.rows, b.cols);
  for (int m = 0; m < a.rows; ++m)
    for (int k = 0; k < a.cols; ++k)
      for (int n = 0; n < b.cols; ++n) product.at(m, n) += a.at(m, k) * b.at(k, n);
  return product;
}

Matrix quantise_input(const Network& network, const Matrix& images) {
  Matrix activations = images;
  for (std::int64_t& x : activations.elements)
    x = requantise(x, network.input_shift, true, network.layers.front().moving_format);
  return activations;
}

Matrix finish_layer(const Layer& layer, const Matrix& accumulators) {
  assert(accumulators.cols == layer.weights.cols);
  Matrix out(accumulators.rows, accumulators.cols);
  for (int m = 0; m < out.rows; ++m)
    for (int n = 0; n < out.cols; ++n)
      out.at(m, n) = requantise(accumulators.at(m, n) + layer.bias[static_cast<std::size_t>(n)],
                                layer.shift, layer.relu, layer.output_format);
  return out;
}

std::vector<int> classify(const Network& network, const Matrix& images, const Gemm& gemm) {
  Matrix values = quantise_input(network, images);
  for (const Layer& layer : network.layers)
    values = finish_layer(layer, gemm(values, layer.weights));

  std::vector<int> result;
  result.reserve(static_cast<std::size_t>(values.rows));
  for (auto row = values.elements.begin(); row != values.elements.end(); row += values.cols)
    result.push_back(static_cast<int>(std::max_element(row, row + values.cols) - row));
  return result;
}

int accumulator_width(const Layer& layer) {
  // The extremes of a column: the largest activation on each weight of one sign, zero on the rest.
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (int n = 0; n < layer.weights.cols; ++n) {
    std::int64_t negative = 0;
    std::int64_t positive = 0;
    for (int k = 0; k < layer.weights.rows; ++k) {
      const std::int64_t weight = layer.weights.at(k, n);
      (weight < 0 ? negative : positive) += weight * layer.moving_format.max();
    }
    low = std::min(low, negative);
    high = std::max(high, positive);
  }
  int bits = 1;
  while (low < -(std::int64_t{1} << (bits - 1)) || high >= (std::int64_t{1} << (bits - 1))) ++bits;
  return bits;
}

}  // namespace weft::digits
