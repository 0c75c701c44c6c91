// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::arch {

/// A dense matrix, row-major. Indices are trusted.
template <typename T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::int64_t rows, std::int64_t cols)
      : rows_(rows), cols_(cols), data_(static_cast<std::size_t>(rows * cols)) {}

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t cols() const { return cols_; }
  [[nodiscard]] T& operator()(std::int64_t row, std::int64_t col) {
    return data_[static_cast<std::size_t>(row * cols_ + col)];
  }
  [[nodiscard]] const T& operator()(std::int64_t row, std::int64_t col) const {
    return data_[static_cast<std::size_t>(row * cols_ + col)];
  }
  [[nodiscard]] std::span<T> row(std::int64_t row) {
    return {data_.data() + row * cols_, static_cast<std::size_t>(cols_)};
  }
  [[nodiscard]] std::span<const T> row(std::int64_t row) const {
    return {data_.data() + row * cols_, static_cast<std::size_t>(cols_)};
  }
  bool operator==(const Matrix&) const = default;

 private:
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  std::vector<T> data_;
};

/// An operand matrix: integers of at most 16 bits.
using Operands = Matrix<std::int32_t>;
/// A matrix of partial sums or results.
using Sums = Matrix<std::int64_t>;

}  // namespace weft::arch
