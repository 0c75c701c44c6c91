// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
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

  /// Holds reset for reset_length() cycles while the inputs carry garbage.
  void reset() override;
  void set_position(int x, int y) override;
  const arch::SwitchOutputs& cycle(const arch::SwitchInputs& inputs) override;

  void set_reset_length(std::uint64_t cycles) { reset_length_ = cycles; }
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
  int x_ = 0;
  int y_ = 0;
};

}  // namespace weft::verif
