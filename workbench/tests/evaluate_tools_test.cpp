// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "arch/config.h"
#include "base/error.h"
#include "workbench/configurations.h"
#include "workbench/evaluate.h"

namespace weft::workbench {
namespace {

class EvaluateWithTools : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    conditions_.cache = folder() / "cache";
    conditions_.transactions = 5;
    conditions_.load = 0.3;
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder()); }

  /// Of all tests: what all designs are built with need be made only once.
  static std::filesystem::path folder() {
    return std::filesystem::temp_directory_path() / ("weft-evaluate-" + std::to_string(getpid()));
  }

  void expect_declared_figures(Depth depth) {
    std::set<std::string> declared;
    for (const Metric& metric : metrics(config_.kind, depth, conditions_))
      declared.insert(metric.name);
    if (declared.empty()) {
      EXPECT_THROW(static_cast<void>(evaluate(config_, depth, conditions_, folder() / "run")),
                   UserError);
      return;
    }
    std::set<std::string> found;
    const Figures figures = evaluate(config_, depth, conditions_, folder() / "run");
    for (const auto& [name, value] : figures) found.insert(name);
    EXPECT_EQ(found, declared) << name_of(depth);
    if (depth == Depth::cosim) {
      EXPECT_EQ(figures.at("mismatches"), 0);
    }
    if (depth == Depth::synth) {
      EXPECT_GT(figures.at("area_um2"), 0);
    }
  }

  Conditions conditions_;
  arch::Config config_ = arch::parse_config(GetParam(), "x.yaml");
};

TEST_P(EvaluateWithTools, GivesTheDeclaredFigures) {
  for (const Depth depth : all_depths) expect_declared_figures(depth);
}

TEST_P(EvaluateWithTools, GivesTheDeclaredFiguresOfEnergy) {
  if (config_.kind == "link") GTEST_SKIP() << "links have no workloads";
  conditions_.energy = true;
  if (config_.kind == "tensor_array") {
    // Two of them: their energies and operations are summed.
    const auto tiny = load_workload("tiny", [](const std::string&) {});
    conditions_.workloads = {tiny, tiny};
  }
  expect_declared_figures(Depth::synth);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, EvaluateWithTools,
    testing::Values("kind: tensor_array\nname: aa\nrows: 2\ncols: 2\n",
                    "kind: switch\nname: ss\nports: 2\nflit_width: 16\nbuffer_depth: 2\n"
                    "max_packet_flits: 2\n",
                    "kind: link\nname: ll\nflit_width: 16\nlanes: 4\nlane_width: 8\n"));

}  // namespace
}  // namespace weft::workbench
