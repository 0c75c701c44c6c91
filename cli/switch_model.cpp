// SPDX-License-Identifier: Apache-2.0
#include "cli/switch_model.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "base/error.h"
#include "base/text.h"
#include "cli/progress.h"
#include "systemc_models/packet_switch.h"
#include "systemc_models/switch/cycle_switch.h"
#include "testbenches/switch/emitted_switch.h"
#include "testbenches/switch/rtl_switch.h"
#include "verif/dut_builder.h"
#include "verif/network/packet_run.h"

namespace weft::cli {
namespace {

/// The Verilated RTL with what it is made of.
class BuiltRtl : public arch::SwitchSimulation {
 public:
  BuiltRtl(const arch::Switch& design, const std::filesystem::path& cache)
      : description_(verif::describe_switch(design, verif::emitted_switch(design))),
        rtl_(design, description_, build(cache).library) {}

  void reset() override { rtl_.reset(); }
  void set_position(int x, int y) override { rtl_.set_position(x, y); }
  const arch::SwitchOutputs& cycle(const arch::SwitchInputs& inputs) override {
    return rtl_.cycle(inputs);
  }

 private:
  [[nodiscard]] verif::BuiltDut build(const std::filesystem::path& cache) const {
    Step step(fmt::format("building {}", description_.top));
    verif::BuildOptions options;
    options.cache = cache;
    verif::BuiltDut built = verif::build_dut(description_, options);
    step.done(built.cached ? "found in the cache" : "");
    return built;
  }

  verif::DutDescription description_;
  verif::RtlSwitch rtl_;
};

class PacketModel : public workbench::SwitchModel {
 public:
  PacketModel(const arch::Switch& design, bool single_fifo)
      : design_(design), single_fifo_(single_fifo) {}

  verif::RunResult run(verif::Traffic& traffic, const verif::RunPhases& phases) override {
    return verif::run_packets(design_, traffic, phases, single_fifo_);
  }

 private:
  arch::Switch design_;
  bool single_fifo_;
};

}  // namespace

SwitchModelKind switch_model_kind(const std::string& name) {
  if (name == "cycle") return SwitchModelKind::cycle;
  if (name == "packet") return SwitchModelKind::packet;
  if (name == "rtl") return SwitchModelKind::rtl;
  throw UserError(fmt::format("--model: '{}' is not one of rtl, cycle, packet{}",
                              base::printable(name),
                              base::did_you_mean(name, {"rtl", "cycle", "packet"})));
}

std::unique_ptr<workbench::SwitchModel> make_switch_model(SwitchModelKind kind,
                                                          const arch::Config& config,
                                                          bool single_fifo,
                                                          const std::filesystem::path& cache) {
  const auto& design = std::get<arch::Switch>(config.design);
  if (kind == SwitchModelKind::packet) return std::make_unique<PacketModel>(design, single_fifo);
  std::unique_ptr<arch::SwitchSimulation> simulation;
  if (kind == SwitchModelKind::cycle) {
    simulation = std::make_unique<models::CycleSwitch>(design);
  } else {
    simulation = std::make_unique<BuiltRtl>(design, cache);
  }
  return workbench::make_pin_model(design, single_fifo, std::move(simulation));
}

}  // namespace weft::cli
