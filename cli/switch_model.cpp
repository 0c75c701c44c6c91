// SPDX-License-Identifier: Apache-2.0
#include "cli/switch_model.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "base/error.h"
#include "base/text.h"
#include "systemc_models/packet_switch.h"
#include "systemc_models/switch/cycle_switch.h"
#include "verif/network/packet_run.h"

namespace weft::cli {
namespace {

/// Flits on the pins of the cycle model or of the RTL.
class PinModel : public SwitchModel {
 public:
  PinModel(const arch::Switch& design, bool single_fifo,
           std::unique_ptr<arch::SwitchSimulation> simulation)
      : design_(design), simulation_(std::move(simulation)) {
    options_.single_fifo = single_fifo;
    options_.interleave = false;
  }

  verif::RunResult run(verif::Traffic& traffic, const verif::RunPhases& phases) override {
    simulation_->reset();
    return verif::run_traffic(*simulation_, design_, traffic, phases, options_);
  }

 private:
  arch::Switch design_;
  std::unique_ptr<arch::SwitchSimulation> simulation_;
  verif::EndpointOptions options_;
};

class PacketModel : public SwitchModel {
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

std::unique_ptr<SwitchModel> make_switch_model(SwitchModelKind kind, const arch::Config& config,
                                               bool single_fifo,
                                               const std::filesystem::path& cache) {
  const auto& design = std::get<arch::Switch>(config.design);
  switch (kind) {
    case SwitchModelKind::packet:
      return std::make_unique<PacketModel>(design, single_fifo);
    case SwitchModelKind::cycle:
      return std::make_unique<PinModel>(design, single_fifo,
                                        std::make_unique<models::CycleSwitch>(design));
    case SwitchModelKind::rtl:
      break;
  }
  (void)cache;
  throw UserError("--model rtl");
}

}  // namespace weft::cli
