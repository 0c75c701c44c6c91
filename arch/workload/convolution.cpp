// SPDX-License-Identifier: Apache-2.0
#include "arch/workload/convolution.h"

#include <cstddef>

namespace weft::arch {
namespace {

struct Pixel {
  std::int64_t image;
  std::int64_t y;
  std::int64_t x;
};

Pixel output_pixel(const Convolution& conv, std::int64_t row) {
  const std::int64_t area = conv.out_height() * conv.out_width();
  return {row / area, row % area / conv.out_width(), row % conv.out_width()};
}

}  // namespace

Operands im2col(const Convolution& conv, const std::vector<std::int32_t>& input,
                std::int64_t group) {
  const std::int64_t group_channels = conv.channels / conv.groups;
  Operands a(conv.batch * conv.out_height() * conv.out_width(),
             group_channels * conv.kernel_height * conv.kernel_width);
  for (std::int64_t row = 0; row < a.rows(); ++row) {
    const Pixel pixel = output_pixel(conv, row);
    std::int64_t col = 0;
    for (std::int64_t c = 0; c < group_channels; ++c) {
      const std::int64_t plane = pixel.image * conv.channels + group * group_channels + c;
      for (std::int64_t ky = 0; ky < conv.kernel_height; ++ky) {
        for (std::int64_t kx = 0; kx < conv.kernel_width; ++kx, ++col) {
          const std::int64_t y =
              pixel.y * conv.stride_height - conv.pad_top + ky * conv.dilation_height;
          const std::int64_t x =
              pixel.x * conv.stride_width - conv.pad_left + kx * conv.dilation_width;
          if (y < 0 || y >= conv.height || x < 0 || x >= conv.width) continue;
          a(row, col) = input[static_cast<std::size_t>((plane * conv.height + y) * conv.width + x)];
        }
      }
    }
  }
  return a;
}

Operands filter_matrix(const Convolution& conv, const std::vector<std::int32_t>& weights,
                       std::int64_t group) {
  const std::int64_t filters = conv.filters / conv.groups;
  const std::int64_t window = conv.channels / conv.groups * conv.kernel_height * conv.kernel_width;
  Operands b(window, filters);
  for (std::int64_t f = 0; f < filters; ++f) {
    for (std::int64_t k = 0; k < window; ++k) {
      b(k, f) = weights[static_cast<std::size_t>((group * filters + f) * window + k)];
    }
  }
  return b;
}

void place_output(const Convolution& conv, const Sums& c, std::int64_t group,
                  std::vector<std::int64_t>& output) {
  const std::int64_t filters = conv.filters / conv.groups;
  for (std::int64_t row = 0; row < c.rows(); ++row) {
    const Pixel pixel = output_pixel(conv, row);
    for (std::int64_t f = 0; f < filters; ++f) {
      const std::int64_t plane = pixel.image * conv.filters + group * filters + f;
      output[static_cast<std::size_t>((plane * conv.out_height() + pixel.y) * conv.out_width() +
                                      pixel.x)] = c(row, f);
    }
  }
}

}  // namespace weft::arch
