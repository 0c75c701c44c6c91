// SPDX-License-Identifier: Apache-2.0
#include "workbench/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/installation.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/tools.h"
#include "workbench/figures.h"
#include "workbench/synthesis_figures.h"

namespace weft::workbench {
namespace {

constexpr std::array depth_names{"estimate", "model", "synth", "cosim"};

Figures named(const std::vector<Metric>& metrics, const std::vector<double>& values) {
  Figures figures;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (!std::isnan(values.at(i))) figures[metrics[i].name] = values[i];
  }
  return figures;
}

}  // namespace

std::string_view name_of(Depth depth) { return depth_names.at(static_cast<std::size_t>(depth)); }

Depth parse_depth(std::string_view word) {
  const auto found = std::ranges::find(depth_names, word);
  if (found != depth_names.end()) {
    return static_cast<Depth>(found - depth_names.begin());
  }
  throw UserError(fmt::format(
      "'{}' is not one of {}{}", base::printable(word), fmt::join(depth_names, ", "),
      base::did_you_mean(word, std::vector<std::string>(depth_names.begin(), depth_names.end()))));
}

std::vector<Metric> metrics(std::string_view kind, Depth depth, const Conditions& conditions) {
  const auto figurist = make_figurist(kind, conditions);
  return depth == Depth::synth ? synthesis_metrics(conditions, *figurist)
                               : figurist->metrics(depth);
}

struct Estimator::Body {
  std::unique_ptr<Figurist> figurist;
};

Estimator::Estimator(std::string_view kind, const Conditions& conditions)
    : body_(new Body{make_figurist(kind, conditions)}) {}

Estimator::~Estimator() = default;

void Estimator::estimate(const arch::Config& config, std::vector<double>& figures) {
  body_->figurist->estimate(config, figures);
}

Figures evaluate(const arch::Config& config, Depth depth, const Conditions& conditions,
                 const std::filesystem::path& directory) {
  const auto figurist = make_figurist(config.kind, conditions);
  if (depth == Depth::synth) return synthesise(config, conditions, *figurist, directory);
  const auto own = figurist->metrics(depth);
  if (own.empty()) {
    throw UserError(fmt::format("a {} has no figures at depth {} under these conditions",
                                config.kind, name_of(depth)));
  }
  if (depth == Depth::model) return named(own, figurist->model(config));
  if (depth == Depth::cosim) return named(own, figurist->cosim(config));
  std::vector<double> figures;
  figurist->estimate(config, figures);
  return named(own, figures);
}

std::string evaluation_key(const arch::Config& config, Depth depth, const Conditions& conditions) {
  nlohmann::json key{{"weft", base::version()},
                     {"configuration", arch::canonical_form(config)},
                     {"depth", name_of(depth)},
                     {"conditions", make_figurist(config.kind, conditions)->relevant(depth)}};
  if (depth == Depth::synth) key["synthesis"] = relevant_to_synthesis(conditions);
  if (depth == Depth::cosim) key["verilator"] = base::tool_version("verilator_bin").banner;
  return base::sha256(key.dump());
}

}  // namespace weft::workbench
