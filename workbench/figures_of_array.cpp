// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "arch/estimate.h"
#include "arch/timing/array_timing.h"
#include "arch/timing/schedule.h"
#include "arch/workload/mapping.h"
#include "systemc_models/tensor_array_predictor.h"
#include "testbenches/tensor_array/cosim.h"
#include "workbench/figures.h"
#include "workbench/recordings.h"
#include "workbench/rtl.h"

namespace weft::workbench {
namespace {

/// Of each shape of layer, what the model runs.
constexpr std::int64_t modelled_cycles = 1'000'000;

/// The first tiles of a layer, as many as take about modelled_cycles.
arch::TileRun first_tiles(const arch::Schedule& empty, arch::TileRun run) {
  run.beats = std::min(run.beats, modelled_cycles);
  run.tiles = std::clamp<std::int64_t>(modelled_cycles / empty.period(run.beats), 1, run.tiles);
  return run;
}

/// The cycles that the model needs for tiles that follow each other without pauses.
std::int64_t model_cycles(const arch::TensorArray& array, const arch::TileRun& run) {
  arch::Tile tile;
  tile.beats = static_cast<int>(run.beats);
  tile.tags.assign(static_cast<std::size_t>(run.beats), 0);
  models::TensorArrayPredictor predictor(array, models::TensorArrayPredictor::Content::timing);
  models::Prediction prediction;
  predictor.start({});
  for (std::int64_t i = 0; i < run.tiles; ++i) {
    prediction.clear();
    predictor.append(tile, {}, {}, prediction);
  }
  return static_cast<std::int64_t>(prediction.cycles);
}

std::vector<std::int64_t> numbers_of(const std::variant<arch::Gemm, arch::Convolution>& shape) {
  if (const auto* gemm = std::get_if<arch::Gemm>(&shape)) return {gemm->m, gemm->n, gemm->k};
  const auto& c = std::get<arch::Convolution>(shape);
  return {c.batch,        c.height,          c.width,          c.channels,
          c.filters,      c.kernel_height,   c.kernel_width,   c.stride_height,
          c.stride_width, c.pad_top,         c.pad_bottom,     c.pad_left,
          c.pad_right,    c.dilation_height, c.dilation_width, c.groups};
}

class ArrayFigures : public Figurist {
 public:
  explicit ArrayFigures(const Conditions& conditions)
      : conditions_(conditions), shapes_(arch::layer_shapes(conditions.workloads)) {}

  [[nodiscard]] std::vector<Metric> metrics(Depth depth) const override {
    std::vector<Metric> result;
    const auto add = [&](const char* name, const char* unit, const char* doc) {
      result.push_back({name, unit, doc, depth});
    };
    switch (depth) {
      case Depth::estimate:
        add("macs_per_cycle", "MACs", "Multiply-accumulates a cycle at most.");
        add("latency", "cycles", "From a vector's acceptance to its result.");
        if (shapes_.empty()) break;
        add("total_cycles", "cycles", "Array cycles of all workloads.");
        add("load_cycles", "cycles", "Nothing streams: the stationary tile is awaited.");
        add("fill_cycles", "cycles", "A layer's first beat travels to the last row.");
        add("compute_cycles", "cycles", "A moving vector or step is accepted.");
        add("drain_cycles", "cycles", "A layer's last results travel out.");
        add("utilization", "", "Useful MACs of all that fit in the time.");
        add("edge_share", "", "MACs on padding, of all that fit in the time.");
        add("macs", "MACs", "That the workloads ask for.");
        break;
      case Depth::model:
        if (shapes_.empty()) break;
        add("model_cycles", "cycles",
            "What the model needs for the first million cycles of each shape of layer.");
        add("model_deviation", "cycles", "What the closed forms say for that, minus model_cycles.");
        break;
      case Depth::synth:
        add("area_per_mac_um2", "um2", "Area over the multiply-accumulate units.");
        if (conditions_.energy) add("energy_per_mac_pj", "pJ", "Energy over the workloads' MACs.");
        break;
      case Depth::cosim:
        add("mismatches", "", "Wrong values, beats and cycles of the RTL.");
        add("elements_compared", "", "Result elements that were compared.");
        add("cycles_compared", "cycles", "Cycles of RTL that were compared.");
        break;
    }
    return result;
  }

  [[nodiscard]] nlohmann::json relevant(Depth depth) const override {
    switch (depth) {
      case Depth::estimate:
      case Depth::model:
        return shapes();
      case Depth::synth:
        if (!conditions_.energy) return {};
        return {{"layers", layers()}, {"seed", conditions_.seed}};
      case Depth::cosim:
        return {{"transactions", conditions_.transactions}, {"seed", conditions_.seed}};
    }
    return {};
  }

  void estimate(const arch::Config& config, std::vector<double>& figures) override {
    const auto& array = std::get<arch::TensorArray>(config.design);
    figures.clear();
    figures.push_back(static_cast<double>(array.rows) * array.cols * array.macs_per_pe);
    figures.push_back(arch::ArrayTiming(array).latency);
    if (shapes_.empty()) return;
    const arch::Effort effort = arch::estimate_total(array, shapes_);
    const arch::CycleParts& cycles = effort.cycles;
    for (const std::int64_t count :
         {cycles.total(), cycles.load, cycles.fill, cycles.compute, cycles.drain}) {
      figures.push_back(static_cast<double>(count));
    }
    figures.push_back(effort.utilization());
    figures.push_back(static_cast<double>(effort.edge_slots) / static_cast<double>(effort.slots()));
    figures.push_back(static_cast<double>(effort.macs));
  }

  [[nodiscard]] std::vector<double> model(const arch::Config& config) override {
    const auto& array = std::get<arch::TensorArray>(config.design);
    const arch::Schedule empty(array);
    std::int64_t cycles = 0;
    std::int64_t closed_form = 0;
    for (const arch::LayerShape& shape : shapes_) {
      const arch::TileRun run = first_tiles(empty, arch::tile_run(array, shape.gemm));
      cycles += model_cycles(array, run);
      closed_form += empty.cycles_of(run);
    }
    return {static_cast<double>(cycles), static_cast<double>(closed_form - cycles)};
  }

  [[nodiscard]] std::vector<double> cosim(const arch::Config& config) override {
    const auto& array = std::get<arch::TensorArray>(config.design);
    verif::CosimOptions options;
    options.seed = conditions_.seed;
    options.transactions = conditions_.transactions;
    options.build = build_options(conditions_);
    const auto report = verif::run_cosim(array, rtl_of(rtl::emit(config)), options);
    const auto mismatches = report.totals.mismatches + report.totals.cycle_mismatches;
    return {static_cast<double>(report.passed() ? 0 : std::max<std::uint64_t>(1, mismatches)),
            static_cast<double>(report.totals.elements), static_cast<double>(report.rtl_cycles)};
  }

  [[nodiscard]] std::vector<verif::Recording> record(
      const arch::Config& config, const rtl::Emission& emission,
      const verif::RecordingOptions& options) override {
    const auto& array = std::get<arch::TensorArray>(config.design);
    if (conditions_.workloads.empty()) return {record_digits(array, emission, options)};
    std::vector<verif::Recording> recordings;
    for (const arch::Workload& workload : conditions_.workloads) {
      recordings.push_back(record_workload(array, emission, workload, options));
    }
    return recordings;
  }

 private:
  [[nodiscard]] nlohmann::json shapes() const {
    auto result = nlohmann::json::array();
    for (const arch::LayerShape& shape : shapes_) {
      result.push_back({shape.gemm.m, shape.gemm.n, shape.gemm.k, shape.products, shape.layers});
    }
    return result;
  }

  /// In their order, workload by workload: the operands that are recorded depend on all of it.
  [[nodiscard]] nlohmann::json layers() const {
    auto result = nlohmann::json::array();
    for (const arch::Workload& workload : conditions_.workloads) {
      auto& own = result.emplace_back(nlohmann::json::array());
      for (const arch::Layer& layer : workload.layers) {
        own.push_back({numbers_of(layer.shape), layer.count});
      }
    }
    return result;
  }

  Conditions conditions_;
  std::vector<arch::LayerShape> shapes_;
};

}  // namespace

std::unique_ptr<Figurist> figurist_of(const arch::TensorArray*, const Conditions& conditions) {
  return std::make_unique<ArrayFigures>(conditions);
}

}  // namespace weft::workbench
