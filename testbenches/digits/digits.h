// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "arch/tensor_array.h"

/// Classification of real handwritten digits by a small integer network whose matrix products can
/// be done elsewhere, on a simulated array for instance.
namespace weft::digits {

/// A matrix of integers, row after row.
struct Matrix {
  int rows = 0;
  int cols = 0;
  std::vector<std::int64_t> elements;

  Matrix() = default;
  Matrix(int row_count, int col_count)
      : rows(row_count),
        cols(col_count),
        elements(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(col_count)) {}

  [[nodiscard]] std::int64_t& at(int row, int col) { return elements[index(row, col)]; }
  [[nodiscard]] std::int64_t at(int row, int col) const { return elements[index(row, col)]; }
  bool operator==(const Matrix&) const = default;

 private:
  [[nodiscard]] std::size_t index(int row, int col) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(cols) +
           static_cast<std::size_t>(col);
  }
};

inline constexpr int pixels = 64;  ///< of an image: 8 x 8, row after row
inline constexpr int classes = 10;

/// The images (one a row, `pixels` columns, 0 blank .. 16 full ink) and the digit that each shows.
struct Dataset {
  Matrix images;
  std::vector<int> labels;
};

/// One fully connected layer: out = finish_layer(moving * weights).
struct Layer {
  arch::IntFormat moving_format;      ///< of the activations that come in; they are never negative
  arch::IntFormat stationary_format;  ///< of the weights
  arch::IntFormat output_format;      ///< of what finish_layer gives
  Matrix weights;                     ///< K x N
  std::vector<std::int64_t> bias;     ///< N, 32 bits each, on the scale of the accumulators
  int shift = 0;                      ///< outputs are accumulators / 2^shift
  bool relu = false;
};

/// A network as train.py writes it.
struct Network {
  std::string name;
  int training_images = 0;  ///< it was trained on this many images, from the first of the data set
  int input_shift = 0;      ///< the first layer's activations are pixels / 2^input_shift
  std::vector<Layer> layers;
  std::vector<int> predictions;  ///< train.py's own class of every image of the data set
};

/// Multiplies a (M x K, the moving operand) by b (K x N, the stationary operand), exactly.
using Gemm = std::function<Matrix(const Matrix& a, const Matrix& b)>;

/// Reads a CSV file of 64 pixels and a label per line. Throws UserError naming file and line.
[[nodiscard]] Dataset load_dataset(const std::filesystem::path& file);

/// Reads and checks a network: shapes, and that every number fits its format. Throws UserError.
[[nodiscard]] Network load_network(const std::filesystem::path& file);

/// The golden Gemm.
[[nodiscard]] Matrix multiply(const Matrix& a, const Matrix& b);

/// The first layer's activations of the images (M x pixels): the rescaled pixels, saturated.
[[nodiscard]] Matrix quantise_input(const Network& network, const Matrix& images);

/// What follows the matrix product: adds the bias, divides by 2^shift rounding halves up, applies
/// ReLU if the layer has it, and saturates to the output format. `accumulators` is M x N.
[[nodiscard]] Matrix finish_layer(const Layer& layer, const Matrix& accumulators);

/// The class (0 .. 9) of each of the images (M x pixels): the largest output of the last layer, the
/// lowest class on a tie. Each layer is one call of `gemm`.
[[nodiscard]] std::vector<int> classify(const Network& network, const Matrix& images,
                                        const Gemm& gemm = multiply);

/// Bits of the narrowest signed accumulator that holds every partial sum of the layer's products,
/// for whatever non-negative activations of its moving format, summed in any order.
[[nodiscard]] int accumulator_width(const Layer& layer);

}  // namespace weft::digits
