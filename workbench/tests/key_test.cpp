// SPDX-License-Identifier: Apache-2.0
//
// Which conditions tell one evaluation from another, by kind and depth.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arch/config.h"
#include "base/error.h"
#include "base/files.h"
#include "synth/target.h"
#include "workbench/configurations.h"
#include "workbench/evaluate.h"

namespace weft::workbench {
namespace {

const std::map<std::string, std::string> designs{
    {"tensor_array", "kind: tensor_array\nname: aa\nrows: 2\ncols: 2\n"},
    {"switch", "kind: switch\nname: ss\nports: 2\n"},
    {"link", "kind: link\nname: ll\n"},
};

arch::Config config_of(const std::string& kind) {
  return arch::parse_config(designs.at(kind), "x.yaml");
}

arch::Workload tiny() {
  return load_workload("tiny", [](const std::string&) {});
}

struct Change {
  std::string what;
  std::function<void(Conditions&)> apply;
  std::set<std::string> matters;  ///< "kind depth"
};

/// The pairs of kind and depth whose key is another after the change.
std::set<std::string> changed_by(const Change& change, const Conditions& usual) {
  Conditions other = usual;
  change.apply(other);
  std::set<std::string> result;
  for (const auto& [kind, text] : designs) {
    for (const Depth depth : all_depths) {
      const arch::Config config = config_of(kind);
      try {
        if (evaluation_key(config, depth, usual) != evaluation_key(config, depth, other))
          result.insert(fmt::format("{} {}", kind, name_of(depth)));
      } catch (const UserError&) {
        // Conditions that the kind cannot meet.
      }
    }
  }
  return result;
}

const std::set<std::string> every_synth{"tensor_array synth", "switch synth", "link synth"};
const std::set<std::string> every_cosim{"tensor_array cosim", "switch cosim", "link cosim"};

TEST(EvaluationKey, ChangesWithTheConditionsThatMatterAndWithNoOther) {
  const std::vector<Change> changes{
      {"seed",
       [](Conditions& c) { c.seed = 2; },
       {"tensor_array cosim", "switch cosim", "link cosim", "switch model", "link model"}},
      {"transactions", [](Conditions& c) { c.transactions = 101; }, every_cosim},
      {"clock", [](Conditions& c) { c.clock_ns = 4; }, every_synth},
      {"recipe", [](Conditions& c) { c.recipe = "area"; }, every_synth},
      {"dont_use", [](Conditions& c) { c.dont_use = {"XOR2X1"}; }, every_synth},
      {"target", [](Conditions& c) { c.target = "ice40"; }, every_synth},
      {"energy", [](Conditions& c) { c.energy = true; }, {"tensor_array synth", "switch synth"}},
      {"load", [](Conditions& c) { c.load = 0.4; }, {"switch model"}},
      {"packet", [](Conditions& c) { c.packet = "2"; }, {"switch model"}},
      {"traffic", [](Conditions& c) { c.traffic = "transpose"; }, {"switch model"}},
      {"errors", [](Conditions& c) { c.bit_error_rate = 1e-4; }, {"link estimate", "link model"}},
      {"workload",
       [](Conditions& c) { c.workloads = {tiny()}; },
       {"tensor_array estimate", "tensor_array model"}},
      {"cache", [](Conditions& c) { c.cache = "/somewhere"; }, {}},
  };
  for (const Change& change : changes) {
    EXPECT_EQ(changed_by(change, {}), change.matters) << change.what;
  }
}

TEST(EvaluationKey, OfAnEnergyDependsOnWhatTheDesignDoes) {
  Conditions energy;
  energy.energy = true;
  const std::vector<Change> changes{
      {"seed", [](Conditions& c) { c.seed = 2; }, {"tensor_array synth", "switch synth"}},
      {"load", [](Conditions& c) { c.load = 0.4; }, {"switch synth"}},
      {"workload", [](Conditions& c) { c.workloads = {tiny()}; }, {"tensor_array synth"}},
  };
  for (const Change& change : changes) {
    std::set<std::string> synth;
    for (const std::string& changed : changed_by(change, energy)) {
      if (changed.ends_with(" synth")) synth.insert(changed);
    }
    EXPECT_EQ(synth, change.matters) << change.what;
  }
}

TEST(EvaluationKey, ChangesWithTheDesign) {
  arch::Config other = config_of("tensor_array");
  std::get<arch::TensorArray>(other.design).rows = 3;
  for (const Depth depth : all_depths) {
    EXPECT_NE(evaluation_key(config_of("tensor_array"), depth, {}),
              evaluation_key(other, depth, {}));
  }
}

TEST(EvaluationKey, LooksAtTheShapesOfLayersNotAtTheirNames) {
  Conditions usual;
  usual.workloads = {tiny()};
  usual.energy = true;
  const auto same = [&](Depth depth, const std::function<void(arch::Layer&)>& change) {
    Conditions other = usual;
    other.workloads[0].name = "other";
    for (arch::Layer& layer : other.workloads[0].layers) change(layer);
    const arch::Config config = config_of("tensor_array");
    return evaluation_key(config, depth, usual) == evaluation_key(config, depth, other);
  };
  for (const Depth depth : {Depth::estimate, Depth::model, Depth::synth}) {
    EXPECT_TRUE(same(depth, [](arch::Layer& layer) { layer.name = "other"; })) << name_of(depth);
    EXPECT_FALSE(same(depth, [](arch::Layer& layer) { layer.count += 1; })) << name_of(depth);
  }
  // The same matrix product for cycles, but other operands for energy.
  const auto shift = [](arch::Layer& layer) {
    if (auto* c = std::get_if<arch::Convolution>(&layer.shape))
      std::swap(c->pad_top, c->pad_bottom);
  };
  EXPECT_TRUE(same(Depth::estimate, shift));
  EXPECT_FALSE(same(Depth::synth, shift));
}

TEST(EvaluationKey, LooksAtTheContentsOfALibraryNotAtItsPlace) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("weft-key-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string library = base::read_file(synth::load_target("osu018").liberty_path);
  base::write_file_atomic(folder / "same.lib", library);
  base::write_file_atomic(folder / "other.lib", library + "/* changed */\n");
  const auto key = [&](const std::string& target) {
    Conditions conditions;
    conditions.target = target;
    return evaluation_key(config_of("tensor_array"), Depth::synth, conditions);
  };
  EXPECT_EQ(key("osu018"), key(folder / "same.lib"));
  EXPECT_NE(key("osu018"), key(folder / "other.lib"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace weft::workbench
