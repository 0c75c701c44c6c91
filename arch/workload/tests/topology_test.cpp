// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "arch/workload/read.h"
#include "base/error.h"

namespace weft::arch {
namespace {

const std::string conv_header =
    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
    "Strides,\n";

WorkloadFile parse(const std::string& text) { return parse_workload(text, "net.csv"); }

std::string errors(const std::string& text) {
  try {
    (void)parse(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

Convolution valid_conv(std::int64_t height, std::int64_t width, std::int64_t kernel,
                       std::int64_t channels, std::int64_t filters, std::int64_t stride) {
  Convolution conv;
  conv.height = height;
  conv.width = width;
  conv.kernel_height = conv.kernel_width = kernel;
  conv.channels = channels;
  conv.filters = filters;
  conv.stride_height = conv.stride_width = stride;
  return conv;
}

TEST(Topology, ConvolutionsWithoutPadding) {
  const auto file =
      parse(conv_header + "Conv1, 224, 224, 7, 7, 3, 64, 2,\nFC,1,1,1,1,512,1000,1,\n");
  EXPECT_EQ(file.workload.name, "net");
  EXPECT_EQ(file.workload.layers,
            (std::vector<Layer>{{"Conv1", valid_conv(224, 224, 7, 3, 64, 2), 1},
                                {"FC", valid_conv(1, 1, 1, 512, 1000, 1), 1}}));
  EXPECT_EQ(file.workload.layers[0].gemm(), (Gemm{11881, 64, 147}));
  EXPECT_TRUE(file.warnings.empty());
}

TEST(Topology, Gemms) {
  const auto file = parse("Layer, M, N, K,\nqkv, 128, 1536, 512,\nout,128,512,64,\n");
  EXPECT_EQ(file.workload.layers,
            (std::vector<Layer>{{"qkv", Gemm{128, 1536, 512}, 1}, {"out", Gemm{128, 512, 64}, 1}}));
}

// Every way of writing the same file means the same.
TEST(Topology, FormDoesNotMatter) {
  const std::vector<Layer> layers = parse("Layer,M,N,K,\none,1,2,3,\ntwo,4,5,6,\n").workload.layers;
  ASSERT_EQ(layers.size(), 2U);
  for (const std::string text : {
           "Layer,M,N,K\none,1,2,3\ntwo,4,5,6",  // no trailing commas, no last newline
           "\xEF\xBB\xBFLayer,M,N,K,\r\none,1,2,3,\r\ntwo,4,5,6,\r\n",  // byte order mark, CRLF
           "Layer,M,N,K,\rone,1,2,3,\rtwo,4,5,6,\r",                    // CR
           "\n Layer , M , N , K ,\n\n,,,,\n one ,\t1 , 2,3 , \n\n\ntwo,4,5,6,,,\n\n\n",
           "# made by hand\nLayer,M,N,K,\none,1,2,3,\n# more\ntwo,4,5,6,\n",
           "Layer,K,M,N,\none,3,1,2,\ntwo,6,4,5,\n",  // columns by name
           "\"Layer\",\"M\",\"N\",\"K\"\n\"one\",1,2,3\n\"two\",4,5,6\n",
           "one,1,2,3,\ntwo,4,5,6,\n",              // no header
           "Name,a,b,c\none,1,2,3,\ntwo,4,5,6,\n",  // an unknown header of four columns
       }) {
    const auto file = parse(text);
    EXPECT_EQ(file.workload.layers, layers) << text;
    EXPECT_TRUE(file.warnings.empty()) << text;
  }
}

TEST(Topology, ConvolutionWithoutKnownHeadingsIsToldByItsEightFields) {
  const auto layers = parse("n,a,b,c,d,e,f,g\nc1,9,8,3,3,2,4,1,\n").workload.layers;
  EXPECT_EQ(layers, (std::vector<Layer>{{"c1", valid_conv(9, 8, 3, 2, 4, 1), 1}}));
  EXPECT_EQ(parse("c1,9,8,3,3,2,4,1\n").workload.layers, layers);
}

TEST(Topology, ExtraColumnsAreLeftOutWithAWarning) {
  const auto file = parse(
      "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
      "Strides,,,Eh,Sparsity\n"
      ",,,,,,,,\n"
      "a,9,9,3,3,2,4,1,,,7,2:4\n"
      "b,9,9,3,3,2,4,1,#dw\n"
      "c,9,9,3,3,2,4,1, NPU,,8,1:4\n");
  EXPECT_EQ(file.workload.layers.size(), 3U);
  EXPECT_EQ(file.warnings,
            (std::vector<std::string>{"net.csv:4: column 9 is ignored: '#dw' and 1 more",
                                      "net.csv:3: column 11 is ignored: '7' and 1 more",
                                      "net.csv:3: column 12 is ignored: '2:4' (a sparsity ratio: "
                                      "the array computes all products) and 1 "
                                      "more"}));
}

TEST(Topology, StrideWidthAndBatchSizeAreReadWhereNamed) {
  const auto file = parse(
      "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
      "Stride Height, "
      "Stride Width, Batch Size,\nc,9,9,3,3,2,4,1,2,5,\n");
  Convolution expected = valid_conv(9, 9, 3, 2, 4, 1);
  expected.stride_width = 2;
  expected.batch = 5;
  EXPECT_EQ(file.workload.layers[0].shape, (std::variant<Gemm, Convolution>{expected}));
}

TEST(Topology, AFifthNumberOfAGemmIsItsBatch) {
  for (const std::string header : {"Layer,M,N,K,\n", "Layer,M,N,K,Batch,\n"}) {
    const auto file = parse(header + "scores,8,9,4,12,\n");
    EXPECT_EQ(file.workload.layers, (std::vector<Layer>{{"scores", Gemm{8, 9, 4}, 12}}));
    EXPECT_TRUE(file.warnings.empty());
  }
  EXPECT_EQ(parse("Layer,M,N,K,Eh\nscores,8,9,4,12,\n").workload.layers[0].count, 1);
}

TEST(Topology, DpInTheNameMakesALayerDepthwise) {
  const auto file = parse(conv_header + "DP_1,8,8,3,3,16,2,1,\n");
  Convolution expected = valid_conv(8, 8, 3, 16, 32, 1);
  expected.groups = 16;
  EXPECT_EQ(file.workload.layers[0].shape, (std::variant<Gemm, Convolution>{expected}));
  EXPECT_EQ(file.warnings.size(), 1U);
}

TEST(Topology, EveryBadRowIsNamedAtOnce) {
  EXPECT_EQ(errors(conv_header +
                   "a,1,B,1,1,H,4,1,\nb,9,9,3,3\nc,9,9,0,3,2,4,99999999999,\nd,2,9,3,3,2,4,1,\n"),
            "net.csv:2: IFMAP Width: 'B' is not a whole number\n"
            "net.csv:2: Channels: 'H' is not a whole number\n"
            "net.csv:3: Channels: missing, the row has 5 fields\n"
            "net.csv:3: Num Filter: missing, the row has 5 fields\n"
            "net.csv:3: Strides: missing, the row has 5 fields\n"
            "net.csv:4: Filter Height: 0 is outside 1..2147483647\n"
            "net.csv:4: Strides: 99999999999 is outside 1..2147483647\n"
            "net.csv:5: d: the kernel's height 3 is larger than the padded input's 2");
}

TEST(Topology, LinesAreCountedForAnyLineEnding) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    EXPECT_EQ(errors(fmt::format("Layer,M,N,K{0}{0}a,1,1,1{0}b,1,x,1{0}", end)),
              "net.csv:4: N: 'x' is not a whole number");
  }
}

TEST(Topology, FilesThatAreNone) {
  EXPECT_NE(errors("").find("is empty"), std::string::npos);
  EXPECT_NE(errors(" \n\n").find("is empty"), std::string::npos);
  EXPECT_NE(errors(",,,\n").find("no rows"), std::string::npos);
  EXPECT_NE(errors("Layer,M,N,K,\n").find("a header but no layer"), std::string::npos);
  EXPECT_NE(errors("hello, world\n").find("neither a convolution topology"), std::string::npos);
  EXPECT_NE(errors("a,1,2\n").find("neither a convolution topology"), std::string::npos);
  EXPECT_NE(errors("Layer,M,N,K\na,-1,2.5,1e3\n").find("'-1' is not a whole number"),
            std::string::npos);
  EXPECT_NE(errors("Layer,M,N,K\na,2147483647,2147483647,2147483647\n").find("more than 2^60"),
            std::string::npos);
  EXPECT_NE(errors(std::string("Layer,M,N,K\na,1,\0,3", 19)).find("not a text file"),
            std::string::npos);
}

TEST(Topology, RecognisedByContentWithoutAnExtension) {
  EXPECT_EQ(parse_workload("Layer,M,N,K,\na,1,2,3,\n", "net").workload.layers.size(), 1U);
  EXPECT_EQ(
      parse_workload("\n# a list\nLayer,M,N,K,\na,1,2,3,\n", "net.txt").workload.layers.size(), 1U);
}

}  // namespace
}  // namespace weft::arch
