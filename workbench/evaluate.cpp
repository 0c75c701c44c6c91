// SPDX-License-Identifier: Apache-2.0
#include "workbench/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "arch/estimate.h"
#include "base/error.h"
#include "base/installation.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/tools.h"
#include "synth/compose.h"
#include "synth/fpga/device.h"
#include "synth/scripts.h"
#include "synth/synth.h"
#include "synth/target.h"
#include "workbench/figures.h"
#include "workbench/synthesis_job.h"

namespace weft::workbench {
namespace {

constexpr std::array depth_names{"estimate", "model", "synth", "cosim"};

std::vector<Metric> synthesis_metrics() {
  return {
      {"area_um2", "um2", "Sum of the cells' areas.", Depth::synth},
      {"critical_path_ns", "ns", "The shortest clock period.", Depth::synth},
      {"fmax_mhz", "MHz", "1000 / critical_path_ns.", Depth::synth},
      {"cells", "", "Library cells.", Depth::synth},
      {"registers", "bits", "Flip-flops.", Depth::synth},
  };
}

Figures synthesise(const arch::Config& config, const Conditions& conditions,
                   const std::filesystem::path& directory, double macs) {
  synth::Request request;
  request.target = conditions.target;
  request.target_options.dont_use = conditions.dont_use;
  request.recipe.name = conditions.recipe;
  request.clock_ns = conditions.clock_ns;
  request.cache_directory = synth_cache(conditions.cache);
  request.by_module = false;
  const SynthesisJob job = configuration_job(config, directory, std::move(request));
  synth::CompositionOptions options;
  options.jobs = 1;
  const synth::Result result = synth::compose(job.request, *job.hierarchy, options).result;
  Figures figures{{"area_um2", result.area_um2},
                  {"critical_path_ns", result.critical_path_ns},
                  {"fmax_mhz", result.fmax_mhz},
                  {"cells", static_cast<double>(result.cells)},
                  {"registers", static_cast<double>(result.registers)}};
  if (macs > 0) figures["area_per_mac_um2"] = result.area_um2 / macs;
  return figures;
}

Figures named(const std::vector<Metric>& metrics, const std::vector<double>& values) {
  Figures figures;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (!std::isnan(values.at(i))) figures[metrics[i].name] = values[i];
  }
  return figures;
}

/// What runs a design beside weft itself, by version.
nlohmann::json tools_of(Depth depth) {
  nlohmann::json tools = nlohmann::json::object();
  const auto ask = [&](const char* tool) { tools[tool] = base::tool_version(tool, "0").banner; };
  if (depth == Depth::synth) {
    ask("yosys");
    ask("sta");
  }
  if (depth == Depth::cosim) ask("verilator");
  return tools;
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
  std::vector<Metric> result;
  if (depth == Depth::synth) result = synthesis_metrics();
  std::ranges::move(make_figurist(kind, conditions)->metrics(depth), std::back_inserter(result));
  return result;
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
  const auto own = figurist->metrics(depth);
  switch (depth) {
    case Depth::estimate: {
      std::vector<double> figures;
      figurist->estimate(config, figures);
      return named(own, figures);
    }
    case Depth::model:
      return named(own, figurist->model(config));
    case Depth::synth:
      return synthesise(config, conditions, directory, figurist->macs(config));
    case Depth::cosim:
      return named(own, figurist->cosim(config));
  }
  return {};
}

std::string evaluation_key(const arch::Config& config, Depth depth, const Conditions& conditions) {
  nlohmann::json key{{"weft", base::version()},
                     {"configuration", arch::canonical_form(config)},
                     {"depth", name_of(depth)}};
  switch (depth) {
    case Depth::estimate:
    case Depth::model:
      for (const arch::Workload& workload : conditions.workloads) {
        for (const arch::LayerShape& shape : arch::layer_shapes({workload})) {
          key["shapes"].push_back(
              {shape.gemm.m, shape.gemm.n, shape.gemm.k, shape.products, shape.layers});
        }
      }
      key["traffic"] = {conditions.traffic, conditions.packet, conditions.load, conditions.seed};
      break;
    case Depth::synth: {
      key["flow"] = synth::flow_version;
      key["target"] = conditions.target;
      if (synth::find_fpga(conditions.target) == nullptr) {
        const auto target =
            synth::load_target(conditions.target, {.dont_use = conditions.dont_use});
        key["library"] = base::sha256(target.liberty_text);
      }
      key["dont_use"] = conditions.dont_use;
      key["recipe"] = conditions.recipe;
      key["clock_ns"] = conditions.clock_ns;
      break;
    }
    case Depth::cosim:
      key["cosimulation"] = {conditions.transactions, conditions.seed};
      break;
  }
  key["tools"] = tools_of(depth);
  return base::sha256(key.dump());
}

}  // namespace weft::workbench
