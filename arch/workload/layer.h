// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace weft::arch {

/// C = A x B, A being M x K and B being K x N.
struct Gemm {
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;

  bool operator==(const Gemm&) const = default;
};

/// A two-dimensional convolution (cross-correlation, as neural networks use it). Output pixel
/// (y, x) of filter f sums input (y * stride - padding + ky * dilation, ...) times weight (ky, kx)
/// over the kernel and over the channels of f's group. A window that hangs over the padded edge
/// does not exist: output sizes round down.
struct Convolution {
  std::int64_t batch = 1;  ///< images
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t channels = 1;  ///< input channels, all groups together
  std::int64_t filters = 1;   ///< output channels, all groups together
  std::int64_t kernel_height = 1;
  std::int64_t kernel_width = 1;
  std::int64_t stride_height = 1;
  std::int64_t stride_width = 1;
  std::int64_t pad_top = 0;
  std::int64_t pad_bottom = 0;
  std::int64_t pad_left = 0;
  std::int64_t pad_right = 0;
  std::int64_t dilation_height = 1;
  std::int64_t dilation_width = 1;
  std::int64_t groups = 1;  ///< equal to `channels` for a depthwise convolution

  [[nodiscard]] std::int64_t out_height() const {
    return (height + pad_top + pad_bottom - dilation_height * (kernel_height - 1) - 1) /
               stride_height +
           1;
  }
  [[nodiscard]] std::int64_t out_width() const {
    return (width + pad_left + pad_right - dilation_width * (kernel_width - 1) - 1) / stride_width +
           1;
  }
  bool operator==(const Convolution&) const = default;
};

/// One layer of a workload.
struct Layer {
  std::string name;
  std::variant<Gemm, Convolution> shape;
  std::int64_t count = 1;  ///< how often it is done, with different operands

  /// The matrix product that the array does: for a convolution that of one group
  /// (M = batch * OH * OW, K = KH * KW * channels / groups, N = filters / groups).
  [[nodiscard]] Gemm gemm() const;
  /// How many such products the layer consists of: count, times the groups of a convolution.
  [[nodiscard]] std::int64_t products() const;
  /// Multiply-accumulates of the whole layer, those with padding zeros included (as published
  /// counts do).
  [[nodiscard]] std::int64_t macs() const;
  /// What is wrong with the layer's shape, one sentence each; empty for a legal layer. Sizes are
  /// expected to be positive.
  [[nodiscard]] std::vector<std::string> problems() const;

  bool operator==(const Layer&) const = default;
};

/// The layers that an array works through, one after the other.
struct Workload {
  /// More MACs than this (of a layer or of all layers) are refused, so that 64-bit counts hold.
  static constexpr std::int64_t max_macs = std::int64_t{1} << 60;

  std::string name;
  std::vector<Layer> layers;

  [[nodiscard]] std::int64_t macs() const;
  bool operator==(const Workload&) const = default;
};

}  // namespace weft::arch
