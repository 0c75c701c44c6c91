// SPDX-License-Identifier: Apache-2.0
#include "arch/workload/layer.h"

#include <gtest/gtest.h>

namespace weft::arch {
namespace {

// Output sizes by trying every position of the window instead of dividing.
TEST(Convolution, OutputSizeCountsTheWindowsThatFit) {
  Convolution conv;
  for (conv.height = 1; conv.height <= 12; ++conv.height) {
    for (conv.kernel_height = 1; conv.kernel_height <= 4; ++conv.kernel_height) {
      for (conv.dilation_height = 1; conv.dilation_height <= 3; ++conv.dilation_height) {
        for (conv.stride_height = 1; conv.stride_height <= 4; ++conv.stride_height) {
          for (conv.pad_top = 0; conv.pad_top <= 2; ++conv.pad_top) {
            for (conv.pad_bottom = 0; conv.pad_bottom <= 2; ++conv.pad_bottom) {
              std::int64_t fitting = 0;
              for (std::int64_t y = -conv.pad_top;; y += conv.stride_height) {
                const std::int64_t lowest = y + (conv.kernel_height - 1) * conv.dilation_height;
                if (lowest >= conv.height + conv.pad_bottom) break;
                ++fitting;
              }
              const Layer layer{"", conv, 1};
              ASSERT_EQ(layer.problems().empty(), fitting > 0);
              if (fitting > 0) {
                ASSERT_EQ(conv.out_height(), fitting);
              }
            }
          }
        }
      }
    }
  }
}

TEST(Convolution, WidthIsTreatedLikeHeight) {
  Convolution conv;
  conv.height = 17;
  conv.kernel_height = 3;
  conv.stride_height = 2;
  conv.pad_top = 1;
  conv.pad_bottom = 2;
  conv.dilation_height = 3;
  Convolution turned;
  turned.width = 17;
  turned.kernel_width = 3;
  turned.stride_width = 2;
  turned.pad_left = 1;
  turned.pad_right = 2;
  turned.dilation_width = 3;
  EXPECT_EQ(conv.out_height(), 7);
  EXPECT_EQ(turned.out_width(), 7);
  EXPECT_EQ(conv.out_width(), 1);
  EXPECT_EQ(turned.out_height(), 1);
}

TEST(Layer, GroupsMustDivideChannelsAndFilters) {
  Convolution conv;
  conv.channels = 6;
  conv.filters = 9;
  conv.groups = 3;
  EXPECT_TRUE((Layer{"", conv, 1}.problems().empty()));
  conv.groups = 2;
  EXPECT_EQ((Layer{"", conv, 1}.problems()),
            std::vector<std::string>{"9 filters cannot be divided into 2 groups"});
  conv.groups = 9;
  EXPECT_EQ((Layer{"", conv, 1}.problems()),
            std::vector<std::string>{"6 channels cannot be divided into 9 groups"});
}

TEST(Layer, RefusesCountsBeyondSixtyBits) {
  const std::int64_t big = std::int64_t{1} << 20;
  EXPECT_TRUE((Layer{"", Gemm{big, big, big}, 1}.problems().empty()));
  EXPECT_FALSE((Layer{"", Gemm{big, big, big}, 2}.problems().empty()));
}

TEST(Layer, GroupsAndCountMultiplyTheProducts) {
  Convolution conv;
  conv.batch = 2;
  conv.height = conv.width = 6;
  conv.kernel_height = conv.kernel_width = 3;
  conv.channels = conv.filters = conv.groups = 5;
  const Layer layer{"", conv, 3};
  EXPECT_EQ(layer.gemm(), (Gemm{32, 1, 9}));
  EXPECT_EQ(layer.products(), 15);
  EXPECT_EQ(layer.macs(), 15 * 32 * 9);
}

}  // namespace
}  // namespace weft::arch
