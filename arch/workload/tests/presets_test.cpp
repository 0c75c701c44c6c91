// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "arch/workload/read.h"
#include "base/error.h"

namespace weft::arch {
namespace {

const std::filesystem::path presets =
    std::filesystem::path(WEFT_SOURCE_DIR) / "arch/presets/workloads";

Workload preset(const std::string& name) {
  return read_workload(find_workload(name, presets)).workload;
}

/// Weights of all layers, biases left out.
std::int64_t weights(const Workload& workload) {
  std::int64_t total = 0;
  for (const Layer& layer : workload.layers) {
    total += layer.products() / layer.count * layer.gemm().k * layer.gemm().n;
  }
  return total;
}

TEST(Presets, AllReadWithoutAWarningUnderTheirOwnName) {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(presets)) {
    const WorkloadFile file = read_workload(entry.path());
    EXPECT_TRUE(file.warnings.empty());
    EXPECT_EQ(file.workload.name, entry.path().stem());
    ++found;
  }
  EXPECT_GE(found, 5);
}

// torchvision documents 4.09 G operations and 25,557,032 parameters, of which 2 * 26,560 belong to
// batch normalisation and 1,000 are the classifier's bias.
TEST(Presets, ResNet50AsPublished) {
  const Workload resnet = preset("resnet50");
  EXPECT_EQ(resnet.layers.size(), 54U);
  EXPECT_NEAR(static_cast<double>(resnet.macs()), 4.09e9, 0.005e9);
  EXPECT_EQ(weights(resnet), 25'557'032 - 2 * 26'560 - 1'000);
}

// The original network has its stride in the first 1 x 1 convolution of a block: 3.8 G in the
// paper, 3.86 G by common counts.
TEST(Presets, ResNet50WithTheStrideMovedIsTheOriginal) {
  Workload resnet = preset("resnet50");
  for (std::size_t i = 1; i < resnet.layers.size(); ++i) {
    auto* conv = std::get_if<Convolution>(&resnet.layers[i].shape);
    if (conv == nullptr || conv->kernel_height != 3 || conv->stride_height != 2) continue;
    auto& before = std::get<Convolution>(resnet.layers[i - 1].shape);
    before.stride_height = before.stride_width = 2;
    conv->stride_height = conv->stride_width = 1;
    conv->height = conv->width = before.out_height();
  }
  EXPECT_NEAR(static_cast<double>(resnet.macs()), 3.86e9, 0.005e9);
}

// Consecutive layers must fit together: an output is the next layer's input (but for the pooling
// behind conv1 and the parallel downsampling branch).
TEST(Presets, ResNet50LayersFitTogether) {
  const Workload resnet = preset("resnet50");
  for (std::size_t i = 2; i + 1 < resnet.layers.size(); ++i) {
    if (resnet.layers[i].name.ends_with("downsample")) continue;
    const auto& from = std::get<Convolution>(resnet.layers[i - 1].shape);
    const auto& to = std::get<Convolution>(resnet.layers[i].shape);
    EXPECT_EQ(from.out_height(), to.height) << resnet.layers[i].name;
    EXPECT_EQ(from.filters, to.channels) << resnet.layers[i].name;
  }
}

// The paper's table 4: 569 million multiply-adds, 4.2 million parameters.
TEST(Presets, MobileNetAsPublished) {
  const Workload mobilenet = preset("mobilenet_v1");
  EXPECT_NEAR(static_cast<double>(mobilenet.macs()), 569e6, 0.5e6);
  EXPECT_NEAR(static_cast<double>(weights(mobilenet)), 4.2e6, 0.05e6);
}

// Parameters without the embedding table and the norms, once a token.
TEST(Presets, Llama3WeightProductsAsPublished) {
  const std::int64_t macs_a_token = 8'030'261'248 - 128256LL * 4096 - 65LL * 4096;
  for (const auto& [name, tokens] :
       {std::pair("llama3_8b_prefill", 512), std::pair("llama3_8b_decode", 1)}) {
    std::int64_t macs = 0;
    for (const Layer& layer : preset(name).layers) {
      if (layer.name != "scores" && layer.name != "context") macs += layer.macs();
    }
    EXPECT_EQ(macs, tokens * macs_a_token);
  }
}

TEST(Presets, AnUnknownNameListsThem) {
  try {
    (void)find_workload("resnet51", presets);
    FAIL();
  } catch (const UserError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("resnet51"), std::string::npos);
    EXPECT_NE(text.find("mlp, mobilenet_v1, resnet50, tiny"), std::string::npos);
  }
}

}  // namespace
}  // namespace weft::arch
