// SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated model by its plain pins, a cycle a call, against the bindings that
// verif/shim_writer.cpp generates.
#pragma once

#include <array>
#include <cstdint>

#include "dut_abi.h"
#include "instance.h"
#include "ports.h"

namespace weft_shim {

/// A DUT with plain pins. `Binding` has, besides what Instance needs, input_bytes and output_bytes
/// (sizes of the packed ports) and the accessors inputs and outputs.
template <typename Binding>
class PinInstance : public Instance<Binding> {
 public:
  explicit PinInstance(std::int32_t seed)
      : Instance<Binding>(seed), noise_(static_cast<std::uint32_t>(seed) * 2654435761U) {}

  void reset(std::uint64_t cycles, bool noise) {
    std::array<std::uint8_t, Binding::input_bytes> garbage{};
    this->hold_reset(cycles, [&] {
      if (noise) {
        for (auto& byte : garbage) {
          noise_ = noise_ * 1664525U + 1013904223U;
          byte = static_cast<std::uint8_t>(noise_ >> 24);
        }
      }
      Binding::inputs(this->model(), garbage.data());
    });
  }

  void cycle(const std::uint8_t* in, std::uint8_t* out) {
    Binding::inputs(this->model(), in);
    this->clock_cycle([&] { Binding::outputs(this->model(), out); });
  }

 private:
  std::uint32_t noise_;
};

/// Its C entry points.
template <typename Binding>
struct PinEntryPoints {
  using Dut = PinInstance<Binding>;
  using Common = EntryPoints<Dut>;

  static int cycle(WeftDut* dut, const std::uint8_t* in, std::uint8_t* out) {
    return Common::guarded(dut, -1, [&] {
      Common::self(dut).cycle(in, out);
      return 0;
    });
  }

  static constexpr WeftPinEntryPoints pins{Binding::input_bytes, Binding::output_bytes, cycle};
  static constexpr WeftDutEntryPoints table{weft_dut_abi, &Common::table, nullptr, &pins};
};

}  // namespace weft_shim
