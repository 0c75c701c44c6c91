// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <variant>

#include "arch/network/link_timing.h"
#include "base/error.h"
#include "rtl_gen/emit/emission.h"
#include "testbenches/link/link_cosim.h"
#include "workbench/figures.h"

namespace weft::workbench {
namespace {

class LinkFigures : public Figurist {
 public:
  explicit LinkFigures(const Conditions& conditions) : conditions_(conditions) {
    if (!conditions.workloads.empty())
      throw UserError("workloads are for tensor arrays; a link has none");
  }

  [[nodiscard]] std::vector<Metric> metrics(Depth depth) const override {
    switch (depth) {
      case Depth::estimate:
        return {
            {"latency", "cycles", "From in to out of an idle link.", depth},
            {"payload_bits", "bits/cycle", "Of flits, without errors, one VC.", depth},
            {"efficiency", "", "Those of all bits on the lanes.", depth},
        };
      case Depth::model:
      case Depth::synth:
        return {};
      case Depth::cosim:
        return {
            {"mismatches", "", "Whether the RTL did anything else than the model.", depth},
            {"flits_compared", "flits", "That came out, of both directions.", depth},
            {"cycles_compared", "cycles", "Cycles of RTL that were compared.", depth},
        };
    }
    return {};
  }

  void estimate(const arch::Config& config, std::vector<double>& figures) override {
    const auto& link = std::get<arch::Link>(config.design);
    const arch::LinkTiming timing(link);
    const double bits = timing.error_free_rate * link.flit_width / timing.phits;
    figures = {static_cast<double>(timing.latency), bits,
               bits / (static_cast<double>(link.lanes) * link.lane_width)};
  }

  [[nodiscard]] std::vector<double> model(const arch::Config&) override {
    throw UserError("a link has nothing at depth model that estimate does not have");
  }

  [[nodiscard]] std::vector<double> cosim(const arch::Config& config) override {
    const auto& link = std::get<arch::Link>(config.design);
    const rtl::Emission emission = rtl::emit(config);
    verif::LinkRtl rtl;
    rtl.top = emission.top;
    for (const auto& name : emission.verilog) rtl.files.push_back({name, emission.files.at(name)});
    verif::LinkCosimOptions options;
    options.seed = conditions_.seed;
    options.transactions = conditions_.transactions;
    options.build.cache = conditions_.cache;
    const auto report = verif::run_cosim(link, rtl, options);
    std::uint64_t flits = 0;
    for (const auto& direction : report.totals) flits += direction.flits;
    return {report.passed() ? 0.0 : 1.0, static_cast<double>(flits),
            static_cast<double>(report.cycles)};
  }

  [[nodiscard]] double macs(const arch::Config&) const override { return 0; }

 private:
  Conditions conditions_;
};

}  // namespace

std::unique_ptr<Figurist> figurist_of(const arch::Link*, const Conditions& conditions) {
  return std::make_unique<LinkFigures>(conditions);
}

}  // namespace weft::workbench
