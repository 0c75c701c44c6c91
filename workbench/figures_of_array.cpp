// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <variant>

#include "arch/estimate.h"
#include "arch/timing/array_timing.h"
#include "base/error.h"
#include "rtl_gen/emit/emission.h"
#include "testbenches/tensor_array/cosim.h"
#include "workbench/figures.h"
#include "workbench/rtl.h"

namespace weft::workbench {
namespace {

class ArrayFigures : public Figurist {
 public:
  explicit ArrayFigures(const Conditions& conditions)
      : conditions_(conditions), shapes_(arch::layer_shapes(conditions.workloads)) {}

  [[nodiscard]] std::vector<Metric> metrics(Depth depth) const override {
    switch (depth) {
      case Depth::estimate: {
        std::vector<Metric> result{
            {"macs_per_cycle", "MACs", "Multiply-accumulates a cycle at most.", depth},
            {"latency", "cycles", "From a vector's acceptance to its result.", depth},
        };
        if (shapes_.empty()) return result;
        result.push_back({"total_cycles", "cycles", "Array cycles of all workloads.", depth});
        result.push_back({"utilization", "", "Useful MACs of all that fit in the time.", depth});
        result.push_back(
            {"load_cycles", "cycles", "Nothing streams: the stationary tile is awaited.", depth});
        result.push_back({"edge_share", "", "MACs on padding, of all that fit.", depth});
        return result;
      }
      case Depth::model:
        return {};
      case Depth::synth:
        return {{"area_per_mac_um2", "um2", "Area over the multiply-accumulate units.", depth}};
      case Depth::cosim:
        return {
            {"mismatches", "", "Wrong values, beats and cycles of the RTL.", depth},
            {"elements_compared", "", "Result elements that were compared.", depth},
            {"cycles_compared", "cycles", "Cycles of RTL that were compared.", depth},
        };
    }
    return {};
  }

  void estimate(const arch::Config& config, std::vector<double>& figures) override {
    const auto& array = std::get<arch::TensorArray>(config.design);
    figures.clear();
    figures.push_back(macs(config));
    figures.push_back(arch::ArrayTiming(array).latency);
    if (shapes_.empty()) return;
    const arch::Effort effort = arch::estimate_total(array, shapes_);
    figures.push_back(static_cast<double>(effort.cycles.total()));
    figures.push_back(effort.utilization());
    figures.push_back(static_cast<double>(effort.cycles.load));
    figures.push_back(static_cast<double>(effort.edge_slots) / static_cast<double>(effort.slots()));
  }

  [[nodiscard]] std::vector<double> model(const arch::Config&) override {
    throw UserError("a tensor_array has nothing at depth model that estimate does not have");
  }

  [[nodiscard]] std::vector<double> cosim(const arch::Config& config) override {
    const auto& array = std::get<arch::TensorArray>(config.design);
    verif::CosimOptions options;
    options.seed = conditions_.seed;
    options.transactions = conditions_.transactions;
    options.build.cache = conditions_.cache;
    const auto report = verif::run_cosim(array, rtl_of(rtl::emit(config)), options);
    const auto mismatches = report.totals.mismatches + report.totals.cycle_mismatches;
    return {static_cast<double>(report.passed() ? 0 : std::max<std::uint64_t>(1, mismatches)),
            static_cast<double>(report.totals.elements), static_cast<double>(report.rtl_cycles)};
  }

  [[nodiscard]] double macs(const arch::Config& config) const override {
    const auto& array = std::get<arch::TensorArray>(config.design);
    return static_cast<double>(array.rows) * array.cols * array.macs_per_pe;
  }

 private:
  Conditions conditions_;
  std::vector<arch::LayerShape> shapes_;
};

}  // namespace

std::unique_ptr<Figurist> figurist_of(const arch::TensorArray*, const Conditions& conditions) {
  return std::make_unique<ArrayFigures>(conditions);
}

}  // namespace weft::workbench
