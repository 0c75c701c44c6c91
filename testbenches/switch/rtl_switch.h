// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "verif/dut_description.h"
#include "verif/pin_dut.h"

namespace weft::verif {

/// The RTL of a switch.
using SwitchRtl = Rtl;

/// The RTL as the engine sees it; the ports are those of docs/switch.md.
[[nodiscard]] DutDescription describe_switch(const arch::Switch& design, const SwitchRtl& rtl);

/// The Verilated RTL of a switch.
class RtlSwitch : public arch::SwitchSimulation {
 public:
  /// `library` is what was built from describe_switch(design, ...). Registers power up with random
  /// values drawn from `seed`. Call reset() before the first cycle.
  RtlSwitch(const arch::Switch& design, const DutDescription& description,
            const std::shared_ptr<const DutLibrary>& library, std::uint64_t seed = 1);

  /// Holds reset for the cycles that set_reset_length() asked for.
  void reset() override;
  void set_position(int x, int y) override;
  const arch::SwitchOutputs& cycle(const arch::SwitchInputs& inputs) override;

  void set_reset_length(std::uint64_t cycles) { reset_length_ = cycles; }
  /// Whether the inputs carry garbage during reset (they do) or zeros.
  void set_reset_noise(bool noise) { reset_noise_ = noise; }
  /// Who is shown the packed input and output ports of every cycle, if anybody.
  using Observer = std::function<void(const std::uint8_t* in, const std::uint8_t* out)>;
  void observe(Observer observer) { observer_ = std::move(observer); }
  void trace(const std::filesystem::path& path) { dut_.trace(path); }

 private:
  arch::PinLayout layout_;
  int flit_width_;
  int vc_width_;
  bool mesh_;
  PinDut dut_;
  BeatLayout input_layout_;
  BeatLayout output_layout_;
  std::vector<std::uint64_t> in_;   ///< packed ports
  std::vector<std::uint64_t> out_;  ///< packed ports
  arch::SwitchOutputs outputs_;
  std::uint64_t reset_length_ = 1;
  bool reset_noise_ = true;
  Observer observer_;
  int x_ = 0;
  int y_ = 0;
};

}  // namespace weft::verif
