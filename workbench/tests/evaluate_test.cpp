// SPDX-License-Identifier: Apache-2.0
#include "workbench/evaluate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "arch/estimate.h"
#include "arch/params/random.h"
#include "base/error.h"
#include "base/tests/run_seed.h"
#include "workbench/configurations.h"

namespace weft::workbench {
namespace {

void no_warning(const std::string&) {}

Conditions with(const std::string& workload) {
  Conditions conditions;
  conditions.workloads.push_back(load_workload(workload, no_warning));
  return conditions;
}

TEST(Evaluate, EveryKindHasFiguresWithNamesOfTheirOwn) {
  for (const arch::Kind* kind : arch::kinds()) {
    std::set<std::string> names;
    for (const Depth depth : all_depths) {
      for (const Metric& metric : metrics(kind->name, depth, {})) {
        EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
        EXPECT_EQ(metric.depth, depth);
        EXPECT_FALSE(metric.doc.empty());
        EXPECT_EQ(kind->find(metric.name), nullptr)
            << metric.name << " is a parameter too: expressions could not tell them apart";
      }
    }
    EXPECT_FALSE(metrics(kind->name, Depth::estimate, {}).empty());
    EXPECT_FALSE(metrics(kind->name, Depth::cosim, {}).empty());
  }
}

TEST(Evaluate, RandomDesignsHaveTheDeclaredEstimates) {
  std::mt19937_64 random(test::run_seed());
  for (const arch::Kind* kind : arch::kinds()) {
    for (int i = 0; i < 50; ++i) {
      const arch::Config config = arch::config_of(*kind, arch::random_values(*kind, random));
      std::set<std::string> declared;
      for (const Metric& metric : metrics(kind->name, Depth::estimate, {}))
        declared.insert(metric.name);
      std::set<std::string> found;
      for (const auto& [name, value] : evaluate(config, Depth::estimate, {}, ""))
        found.insert(name);
      EXPECT_EQ(found, declared);
    }
  }
}

/// The quick sum against the estimate layer by layer.
RC_GTEST_PROP(Estimator, GivesTheTotalOfAllLayers, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const arch::Kind& kind = *arch::find_kind("tensor_array");
  const arch::Config config = arch::config_of(kind, arch::random_values(kind, random));
  Conditions conditions = with("resnet50");
  conditions.workloads.push_back(load_workload("tiny", no_warning));
  Estimator estimator(kind.name, conditions);
  std::vector<double> figures;
  estimator.estimate(config, figures);
  arch::Effort total;
  for (const auto& workload : conditions.workloads)
    total += arch::estimate(std::get<arch::TensorArray>(config.design), workload).total;
  const auto declared = metrics(kind.name, Depth::estimate, conditions);
  RC_ASSERT(declared.size() == figures.size());
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].name == "total_cycles") {
      RC_ASSERT(figures[i] == static_cast<double>(total.cycles.total()));
    }
    if (declared[i].name == "utilization") RC_ASSERT(figures[i] == total.utilization());
  }
}

TEST(Objections, AreThoseOfTheReader) {
  const arch::Kind& kind = *arch::find_kind("tensor_array");
  const arch::Values values{
      {"name", std::string("top")}, {"rows", std::int64_t{0}}, {"cols", std::int64_t{4}}};
  const auto found = arch::objections(kind, values);
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].find("rows: 0 "), 0) << found[0];
}

/// Whatever is drawn from the domains, rules and checks aside: legal here if and only if the reader
/// takes it as a file.
RC_GTEST_PROP(Objections, AgreeWithTheReader, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const arch::Kind& kind = **rc::gen::elementOf(arch::kinds());
  arch::Values values;
  for (const arch::Parameter& parameter : kind.parameters) {
    if (std::holds_alternative<arch::IntList>(parameter.domain)) continue;
    if (parameter.default_value && random() % 2 == 0) continue;
    values[parameter.name] = arch::draw(parameter.domain, random);
  }
  values["kind"] = kind.name;
  std::string text;
  for (const auto& [name, value] : values) text += name + ": " + arch::to_text(value) + "\n";
  bool legal = true;
  try {
    const arch::Config read = arch::parse_config(text, "x.yaml");
    RC_ASSERT(arch::config_of(kind, values) == read);
  } catch (const UserError&) {
    legal = false;
  }
  RC_ASSERT(arch::objections(kind, values).empty() == legal);
}

TEST(EvaluationKey, ChangesWithWhatTheFiguresDependOnAndNothingElse) {
  const arch::Config config = load_configuration("quickstart", no_warning);
  const auto key = [&](Depth depth, const Conditions& conditions) {
    return evaluation_key(config, depth, conditions);
  };
  const Conditions usual;
  Conditions seed;
  seed.seed = 2;
  Conditions clock;
  clock.clock_ns = 4;
  const Conditions workload = with("tiny");
  EXPECT_NE(key(Depth::cosim, usual), key(Depth::cosim, seed));
  EXPECT_EQ(key(Depth::cosim, usual), key(Depth::cosim, clock));
  EXPECT_EQ(key(Depth::synth, usual), key(Depth::synth, seed));
  EXPECT_NE(key(Depth::synth, usual), key(Depth::synth, clock));
  EXPECT_EQ(key(Depth::synth, usual), key(Depth::synth, workload));
  EXPECT_NE(key(Depth::estimate, usual), key(Depth::estimate, workload));
  EXPECT_NE(key(Depth::synth, usual), key(Depth::cosim, usual));
}

TEST(Depths, HaveNames) {
  for (const Depth depth : all_depths) EXPECT_EQ(parse_depth(name_of(depth)), depth);
  EXPECT_THROW(static_cast<void>(parse_depth("sinth")), UserError);
}

TEST(Conditions, ThatAKindCannotMeetAreRefused) {
  EXPECT_THROW(static_cast<void>(metrics("switch", Depth::estimate, with("tiny"))), UserError);
  EXPECT_THROW(static_cast<void>(metrics("link", Depth::estimate, with("tiny"))), UserError);
  EXPECT_THROW(static_cast<void>(metrics("swich", Depth::estimate, {})), UserError);
}

}  // namespace
}  // namespace weft::workbench
