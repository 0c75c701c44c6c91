// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "arch/network/link_pins.h"
#include "verif/dut_description.h"
#include "verif/pin_dut.h"

namespace weft::verif {

/// The Verilated RTL of a link's endpoint.
class RtlEndpoint : public arch::LinkSimulation {
 public:
  /// `description` is that from which the library was built (describe()).
  RtlEndpoint(const arch::Link& link, const std::shared_ptr<const DutLibrary>& library,
              const DutDescription& description, std::int32_t seed);

  void reset() override { dut_.reset(1); }
  const arch::LinkOutputs& cycle(const arch::LinkInputs& inputs) override;
  void trace(const std::filesystem::path& path) { dut_.trace(path); }
  /// Is shown the pins in every cycle, packed as the description's inputs and outputs are.
  void observe(std::function<void(const std::uint8_t* in, const std::uint8_t* out)> observer) {
    observer_ = std::move(observer);
  }

 private:
  arch::Link link_;
  PinDut dut_;
  std::vector<FieldLayout> in_fields_;
  std::vector<FieldLayout> out_fields_;
  std::vector<std::uint8_t> in_;
  std::vector<std::uint8_t> out_;
  std::vector<std::uint64_t> flits_;  ///< out_flit_o as it is
  arch::LinkOutputs outputs_;
  std::function<void(const std::uint8_t* in, const std::uint8_t* out)> observer_;
};

}  // namespace weft::verif
