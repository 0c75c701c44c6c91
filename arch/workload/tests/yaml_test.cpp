// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "arch/workload/read.h"
#include "base/error.h"

namespace weft::arch {
namespace {

const std::string head = "kind: workload\nname: net\nlayers:\n";

Workload parse(const std::string& text) { return parse_workload(text, "net.yaml").workload; }

std::string errors(const std::string& text) {
  try {
    (void)parse(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(WorkloadYaml, GemmAndConvolution) {
  const Workload workload =
      parse(head +
            "  - {name: fc, type: gemm, m: 1, n: 10, k: 64, count: 3}\n"
            "  - name: c1\n    type: conv\n    input: [9, 7]\n    channels: 4\n    filters: 6\n"
            "    kernel: [3, 2]\n    stride: [2, 1]\n    padding: [1, 2, 3, 4]\n"
            "    dilation: [2, 3]\n    groups: 2\n    batch: 5\n    count: 7\n");
  Convolution conv;
  conv.height = 9;
  conv.width = 7;
  conv.channels = 4;
  conv.filters = 6;
  conv.kernel_height = 3;
  conv.kernel_width = 2;
  conv.stride_height = 2;
  conv.stride_width = 1;
  conv.pad_top = 1;
  conv.pad_bottom = 2;
  conv.pad_left = 3;
  conv.pad_right = 4;
  conv.dilation_height = 2;
  conv.dilation_width = 3;
  conv.groups = 2;
  conv.batch = 5;
  EXPECT_EQ(workload, (Workload{"net", {{"fc", Gemm{1, 10, 64}, 3}, {"c1", conv, 7}}}));
}

TEST(WorkloadYaml, OneNumberStandsForBothAxesAndAllSides) {
  const Workload workload = parse(
      head +
      "  - {name: c, type: conv, input: 9, channels: 1, filters: 1, kernel: 3, stride: 2, padding: "
      "1}\n"
      "  - {name: d, type: conv, input: 9, channels: 1, filters: 1, kernel: 3, padding: [1, 2]}\n");
  const auto& all = std::get<Convolution>(workload.layers[0].shape);
  EXPECT_EQ(all.width, 9);
  EXPECT_EQ(all.kernel_width, 3);
  EXPECT_EQ(all.stride_width, 2);
  EXPECT_EQ(all.pad_top + all.pad_bottom + all.pad_left + all.pad_right, 4);
  const auto& axes = std::get<Convolution>(workload.layers[1].shape);
  EXPECT_EQ(axes.pad_top, 1);
  EXPECT_EQ(axes.pad_bottom, 1);
  EXPECT_EQ(axes.pad_left, 2);
  EXPECT_EQ(axes.pad_right, 2);
}

TEST(WorkloadYaml, JsonIsYaml) {
  const std::string json =
      R"({"kind": "workload", "name": "net", "layers": [{"name": "a", "type": "gemm", "m": 1, "n": 2, "k": 3}]})";
  const Workload expected{"net", {{"a", Gemm{1, 2, 3}, 1}}};
  EXPECT_EQ(parse_workload(json, "net.json").workload, expected);
  EXPECT_EQ(parse_workload(json, "net").workload, expected);
}

TEST(WorkloadYaml, EveryErrorAtOnceWithItsPlace) {
  EXPECT_EQ(
      errors("kind: workload\nnaem: net\nlayers:\n"
             "  - {name: a, type: gemm, m: 0, n: 2.5, k: \"3\"}\n"
             "  - {type: gem}\n"
             "  - {name: c, type: conv, input: [9], channels: 1, filters: 1, strides: 2}\n"
             "  - 7\n"
             "  - {name: d, type: conv, input: 2, channels: 3, filters: 4, kernel: 3, groups: 2}\n"
             "  - {name: e, type: gemm, m: 1, m: 2, n: 1, k: 99999999999999999999, padding: 1}\n"),
      "net.yaml:2:1: naem: unknown key; did you mean 'name'?\n"
      "net.yaml:1:1: name: missing\n"
      "net.yaml:4:30: a.m: 0 is outside 1..2147483647\n"
      "net.yaml:4:36: a.n: a whole number is needed, found '2.5'\n"
      "net.yaml:4:44: a.k: a whole number is needed, found '3'\n"
      "net.yaml:5:5: layers[1].name: missing\n"
      "net.yaml:5:12: layers[1].type: 'gem' is unknown; did you mean 'gemm'?\n"
      "net.yaml:6:64: c.strides: unknown key; did you mean 'stride'?\n"
      "net.yaml:6:34: c.input: one number or a list of 2 is needed, found a list of 1\n"
      "net.yaml:6:5: c.kernel: missing\n"
      "net.yaml:7:5: layers[3]: a map is needed, found '7'\n"
      "net.yaml:8:5: d: the kernel's height 3 is larger than the padded input's 2\n"
      "net.yaml:8:5: d: the kernel's width 3 is larger than the padded input's 2\n"
      "net.yaml:8:5: d: 3 channels cannot be divided into 2 groups\n"
      "net.yaml:9:33: e.m: given twice\n"
      "net.yaml:9:70: e.padding: unknown key; legal: name, type, m, n, k, count\n"
      "net.yaml:9:48: e.k: 99999999999999999999 is outside 1..2147483647");
}

TEST(WorkloadYaml, FilesThatAreNone) {
  EXPECT_NE(errors("").find("net.yaml: is empty"), std::string::npos);
  EXPECT_NE(errors("# nothing\n").find("nothing but comments"), std::string::npos);
  EXPECT_NE(errors(",kind: workload\n").find("net.yaml:1:1: "), std::string::npos);
  EXPECT_NE(errors("{kind: workload}}\n").find("net.yaml:1:17: "), std::string::npos);
  EXPECT_NE(errors("- a\n").find("net.yaml:1:1: a map with kind"), std::string::npos);
  EXPECT_NE(errors("kind: [workload\n").find("net.yaml:"), std::string::npos);
  EXPECT_NE(errors("kind: workload\nname: a\nlayers: []\n").find("net.yaml:3:9: layers: "),
            std::string::npos);
  EXPECT_NE(errors("kind: workload\nname: a\n").find("layers: missing"), std::string::npos);
  EXPECT_NE(errors("kind: tensor_array\nname: a\nlayers: 3\n").find("'tensor_array' is unknown"),
            std::string::npos);
  EXPECT_NE(errors(head + "  - {name: a, type: gemm, m: 1, n: 1, k: 1}\n---\na: 1\n")
                .find("net.yaml:5:1: the workload ends before this"),
            std::string::npos);
  EXPECT_NE(errors(head + "  - {name: a, type: gemm, m: 2147483647, n: 2147483647, k: 1}\n")
                .find("more than 2^60"),
            std::string::npos);
}

TEST(WorkloadYaml, UnreadableFiles) {
  EXPECT_THROW((void)read_workload("/nonexistent/net.yaml"), UserError);
  EXPECT_THROW((void)read_workload("/tmp"), UserError);
}

}  // namespace
}  // namespace weft::arch
