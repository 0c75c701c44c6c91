// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "arch/config.h"
#include "workbench/evaluate.h"

namespace weft::workbench {
namespace {

class EvaluateWithTools : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("weft-evaluate-" + std::to_string(getpid()));
    conditions_.cache = folder_ / "cache";
    conditions_.transactions = 5;
    conditions_.load = 0.3;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void expect_declared_figures(Depth depth) {
    const arch::Config config = arch::parse_config(GetParam(), "x.yaml");
    std::set<std::string> declared;
    for (const Metric& metric : metrics(config.kind, depth, conditions_))
      declared.insert(metric.name);
    if (declared.empty()) return;
    std::set<std::string> found;
    const Figures figures = evaluate(config, depth, conditions_, folder_ / "run");
    for (const auto& [name, value] : figures) found.insert(name);
    EXPECT_EQ(found, declared) << name_of(depth);
    if (depth == Depth::cosim) {
      EXPECT_EQ(figures.at("mismatches"), 0);
    }
    if (depth == Depth::synth) {
      EXPECT_GT(figures.at("area_um2"), 0);
    }
  }

  std::filesystem::path folder_;
  Conditions conditions_;
};

TEST_P(EvaluateWithTools, GivesTheDeclaredFigures) {
  for (const Depth depth : all_depths) expect_declared_figures(depth);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, EvaluateWithTools,
    testing::Values("kind: tensor_array\nname: aa\nrows: 2\ncols: 2\n",
                    "kind: switch\nname: ss\nports: 2\nflit_width: 16\nbuffer_depth: 2\n"
                    "max_packet_flits: 2\n",
                    "kind: link\nname: ll\nflit_width: 16\nlanes: 4\nlane_width: 8\n"));

}  // namespace
}  // namespace weft::workbench
