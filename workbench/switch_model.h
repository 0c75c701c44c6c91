// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "verif/network/run_meter.h"
#include "verif/network/traffic_run.h"
#include "verif/traffic/traffic.h"

namespace weft::workbench {

/// A switch through which traffic can be sent, again and again from its state after reset.
class SwitchModel {
 public:
  virtual ~SwitchModel() = default;
  virtual verif::RunResult run(verif::Traffic& traffic, const verif::RunPhases& phases) = 0;
};

/// Flits on the pins of the cycle model or of the RTL. `single_fifo`: sources keep all their
/// packets in one FIFO.
[[nodiscard]] std::unique_ptr<SwitchModel> make_pin_model(
    const arch::Switch& design, bool single_fifo,
    std::unique_ptr<arch::SwitchSimulation> simulation);

}  // namespace weft::workbench
