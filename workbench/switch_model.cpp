// SPDX-License-Identifier: Apache-2.0
#include "workbench/switch_model.h"

#include <utility>

namespace weft::workbench {
namespace {

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

}  // namespace

std::unique_ptr<SwitchModel> make_pin_model(const arch::Switch& design, bool single_fifo,
                                            std::unique_ptr<arch::SwitchSimulation> simulation) {
  return std::make_unique<PinModel>(design, single_fifo, std::move(simulation));
}

}  // namespace weft::workbench
