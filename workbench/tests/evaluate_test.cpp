// SPDX-License-Identifier: Apache-2.0
#include "workbench/evaluate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <set>
#include <vector>

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

/// The closed forms against the model beat by beat, which is written apart from them.
RC_GTEST_PROP(ArrayModel, NeedsTheCyclesOfTheClosedForms, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const arch::Kind& kind = *arch::find_kind("tensor_array");
  const arch::Config config = arch::config_of(
      kind, arch::random_values(kind, random,
                                {{"rows", arch::IntRange{1, 9}}, {"cols", arch::IntRange{1, 9}}}));
  const Figures figures = evaluate(config, Depth::model, with("tiny"), "");
  RC_ASSERT(figures.at("model_deviation") == 0);
  // So small a workload is modelled wholly, each shape of its layers once.
  RC_ASSERT(figures.at("model_cycles") <=
            evaluate(config, Depth::estimate, with("tiny"), "").at("total_cycles"));
}

TEST(ArrayModel, IsLimited) {
  const arch::Config config = load_configuration("quickstart", no_warning);
  Conditions huge;
  huge.workloads.push_back(
      {"huge",
       {{"wide", arch::Gemm{100'000'000, 8, 8}}, {"deep", arch::Gemm{8, 100'000, 100'000}}}});
  const Figures figures = evaluate(config, Depth::model, huge, "");
  EXPECT_EQ(figures.at("model_deviation"), 0);
  EXPECT_GT(figures.at("model_cycles"), 1.9e6);
  EXPECT_LT(figures.at("model_cycles"), 2.1e6);
}

TEST(ArrayModel, HasNoFiguresWithoutWorkloads) {
  EXPECT_TRUE(metrics("tensor_array", Depth::model, {}).empty());
  EXPECT_THROW(static_cast<void>(
                   evaluate(load_configuration("quickstart", no_warning), Depth::model, {}, "")),
               UserError);
}

/// docs/link.md, "Throughput".
TEST(LinkModel, CarriesWhatTheFormulasSay) {
  const arch::Config config = arch::parse_config("kind: link\nname: ll\n", "x.yaml");
  Conditions conditions;
  EXPECT_EQ(evaluate(config, Depth::model, conditions, "").at("goodput"), 1);
  EXPECT_EQ(evaluate(config, Depth::estimate, conditions, "").at("expected_goodput"), 1);
  for (const double rate : {1e-3, 1e-4}) {
    conditions.bit_error_rate = rate;
    const double expected =
        evaluate(config, Depth::estimate, conditions, "").at("expected_goodput");
    EXPECT_LT(expected, 1);
    EXPECT_NEAR(evaluate(config, Depth::model, conditions, "").at("goodput"), expected,
                0.05 * expected)
        << rate;
  }
}

TEST(SwitchModel, HasTheLatencyAndThroughputThatAreKnown) {
  const auto figures = [](const std::string& organisation, double load) {
    Conditions conditions;
    conditions.load = load;
    return evaluate(
        arch::parse_config("kind: switch\nname: ss\nports: 4\nbuffer_depth: 32\norganisation: " +
                               organisation + "\n",
                           "x.yaml"),
        Depth::model, conditions, "");
  };
  const Figures queued = figures("virtual_output_queued", 0.5);
  EXPECT_NEAR(queued.at("zero_load_latency"), 2, 0.05);  // LATENCY
  EXPECT_NEAR(queued.at("accepted_load"), 0.5, 0.01);
  EXPECT_GE(queued.at("p99_latency"), queued.at("mean_latency"));
  // Head-of-line blocking saturates four ports at 0.6553 (Hui and Arthurs).
  const Figures blocked = figures("input_queued", 0.9);
  EXPECT_NEAR(blocked.at("saturation_throughput"), 0.6553, 0.015);
  EXPECT_FALSE(blocked.contains("mean_latency"));
}

TEST(SwitchEstimate, CountsTheBitsOfItsQueues) {
  const auto bits = [](const std::string& organisation) {
    return evaluate(arch::parse_config("kind: switch\nname: ss\nports: 4\nflit_width: "
                                       "32\nbuffer_depth: 8\norganisation: " +
                                           organisation + "\n",
                                       "x.yaml"),
                    Depth::estimate, {}, "")
        .at("buffer_bits");
  };
  EXPECT_EQ(bits("input_queued"), 4 * 8 * 32);
  EXPECT_EQ(bits("virtual_output_queued"), 4 * 4 * 8 * 32);
  EXPECT_EQ(bits("central_buffer\nallocator: round_robin"), 4 * 8 * 32);
  EXPECT_EQ(bits("crossbar\nflow_control: ready_valid"), 0);
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

TEST(Depths, HaveNames) {
  for (const Depth depth : all_depths) EXPECT_EQ(parse_depth(name_of(depth)), depth);
  EXPECT_THROW(static_cast<void>(parse_depth("sinth")), UserError);
}

TEST(Conditions, ThatAKindCannotMeetAreRefused) {
  EXPECT_THROW(static_cast<void>(metrics("switch", Depth::estimate, with("tiny"))), UserError);
  EXPECT_THROW(static_cast<void>(metrics("link", Depth::estimate, with("tiny"))), UserError);
  EXPECT_THROW(static_cast<void>(metrics("swich", Depth::estimate, {})), UserError);
  Conditions energy;
  energy.energy = true;
  EXPECT_THROW(static_cast<void>(metrics("link", Depth::synth, energy)), UserError);
  energy.target = "ice40";
  EXPECT_THROW(static_cast<void>(metrics("switch", Depth::synth, energy)), UserError);
  for (const auto& wrong : std::vector<std::function<void(Conditions&)>>{
           [](Conditions& c) { c.load = 0; }, [](Conditions& c) { c.load = 1.5; },
           [](Conditions& c) { c.traffic = "unifrom"; },
           [](Conditions& c) { c.traffic = "trace:x.csv"; }}) {
    Conditions conditions;
    wrong(conditions);
    EXPECT_THROW(static_cast<void>(metrics("switch", Depth::model, conditions)), UserError);
  }
  Conditions errors;
  errors.bit_error_rate = 1;
  EXPECT_THROW(static_cast<void>(metrics("link", Depth::model, errors)), UserError);
}

}  // namespace
}  // namespace weft::workbench
