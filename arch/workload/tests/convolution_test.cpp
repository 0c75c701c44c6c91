// SPDX-License-Identifier: Apache-2.0
#include "arch/workload/convolution.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "arch/numerics/integer.h"
#include "arch/workload/mapping.h"

namespace weft::arch {
namespace {

Convolution any_convolution() {
  const auto one_to = [](int limit) { return std::int64_t{*rc::gen::inRange(1, limit + 1)}; };
  Convolution conv;
  conv.batch = one_to(2);
  conv.groups = one_to(3);
  conv.channels = conv.groups * one_to(2);
  conv.filters = conv.groups * one_to(3);
  conv.kernel_height = one_to(3);
  conv.kernel_width = one_to(3);
  conv.stride_height = one_to(3);
  conv.stride_width = one_to(3);
  conv.dilation_height = one_to(2);
  conv.dilation_width = one_to(2);
  conv.pad_top = one_to(3) - 1;
  conv.pad_bottom = one_to(3) - 1;
  conv.pad_left = one_to(3) - 1;
  conv.pad_right = one_to(3) - 1;
  conv.height = (conv.kernel_height - 1) * conv.dilation_height + one_to(4);
  conv.width = (conv.kernel_width - 1) * conv.dilation_width + one_to(4);
  return conv;
}

std::vector<std::int32_t> any_tensor(std::int64_t elements, const IntFormat& format) {
  return *rc::gen::container<std::vector<std::int32_t>>(
      static_cast<std::size_t>(elements),
      rc::gen::inRange(static_cast<std::int32_t>(format.min()),
                       static_cast<std::int32_t>(format.max()) + 1));
}

/// The definition of a convolution: seven loops, nothing shared with the code under test but the
/// layout of the tensors.
std::vector<std::int64_t> direct_convolution(const Convolution& conv,
                                             const std::vector<std::int32_t>& input,
                                             const std::vector<std::int32_t>& weights) {
  const std::int64_t group_channels = conv.channels / conv.groups;
  const std::int64_t group_filters = conv.filters / conv.groups;
  std::vector<std::int64_t> output;
  for (std::int64_t image = 0; image < conv.batch; ++image) {
    for (std::int64_t f = 0; f < conv.filters; ++f) {
      for (std::int64_t oy = 0; oy < conv.out_height(); ++oy) {
        for (std::int64_t ox = 0; ox < conv.out_width(); ++ox) {
          std::int64_t sum = 0;
          for (std::int64_t c = 0; c < group_channels; ++c) {
            for (std::int64_t ky = 0; ky < conv.kernel_height; ++ky) {
              for (std::int64_t kx = 0; kx < conv.kernel_width; ++kx) {
                const std::int64_t y =
                    oy * conv.stride_height + ky * conv.dilation_height - conv.pad_top;
                const std::int64_t x =
                    ox * conv.stride_width + kx * conv.dilation_width - conv.pad_left;
                if (y < 0 || x < 0 || y >= conv.height || x >= conv.width) continue;
                const std::int64_t channel = f / group_filters * group_channels + c;
                const auto in =
                    ((image * conv.channels + channel) * conv.height + y) * conv.width + x;
                const auto w =
                    ((f * group_channels + c) * conv.kernel_height + ky) * conv.kernel_width + kx;
                sum += std::int64_t{input[static_cast<std::size_t>(in)]} *
                       weights[static_cast<std::size_t>(w)];
              }
            }
          }
          output.push_back(sum);
        }
      }
    }
  }
  return output;
}

// im2col, tiling, the array's arithmetic and the placing of results, end to end.
RC_GTEST_PROP(Convolution, OnAnyArrayEqualsDirectConvolution, ()) {
  const Convolution conv = any_convolution();
  TensorArray array;
  array.rows = *rc::gen::inRange(1, 6);
  array.cols = *rc::gen::inRange(1, 6);
  array.macs_per_pe = *rc::gen::element(1, 2, 4);
  array.dataflow = *rc::gen::element(Dataflow::weight_stationary, Dataflow::input_stationary,
                                     Dataflow::output_stationary);
  array.moving_format = {4, false};
  array.stationary_format = {5, true};
  array.accumulator_width =
      exact_accumulator_width(array.moving_format, array.stationary_format, 64);
  const Layer layer{"", conv, 1};
  const GemmMapping mapping(array, layer.gemm());
  const auto input =
      any_tensor(conv.batch * conv.channels * conv.height * conv.width, mapping.a_format());
  const auto weights = any_tensor(
      conv.filters * (conv.channels / conv.groups) * conv.kernel_height * conv.kernel_width,
      mapping.b_format());

  std::vector<std::int64_t> output(
      static_cast<std::size_t>(conv.batch * conv.filters * conv.out_height() * conv.out_width()));
  for (std::int64_t group = 0; group < conv.groups; ++group) {
    const Operands a = im2col(conv, input, group);
    const Operands b = filter_matrix(conv, weights, group);
    RC_ASSERT((Gemm{a.rows(), b.cols(), a.cols()}) == layer.gemm());
    place_output(conv, golden_gemm(array, a, b), group, output);
  }
  RC_ASSERT(output == direct_convolution(conv, input, weights));
}

}  // namespace
}  // namespace weft::arch
