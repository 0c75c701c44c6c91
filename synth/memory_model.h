// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "synth/macro.h"
#include "synth/survey.h"
#include "synth/target.h"

namespace weft::synth {

/// What a memory costs that is not made of flip-flops, one of it.
struct MemoryCost {
  double area_um2 = 0;
  double access_ns = 0;  ///< from the address, or the clock edge, to the data
  double setup_ns = 0;   ///< of the inputs
  double access_pj = 0;  ///< energy of one read or write; 0: not known
  std::string source;    ///< "model", or the macro that stands for it: "2 x SRAM_256x32"
  std::string note;      ///< what the user should know of it; may be ""
};

/// The delay of a target's driving cell in the middle of its table: that of a gate with a usual
/// load, and about the slope of its output.
double gate_delay_ns(const Target& target);

/// A memory as an SRAM macro of a memory compiler would be. A model, not a measurement:
/// docs/synthesis.md has its formulas and sources.
MemoryCost model_memory(const MemoryShape& memory, const Target& target);

/// The black box for a memory, with its timing. `cell` is the name to be.
Macro memory_macro(const MemoryShape& memory, const std::string& cell, const MemoryCost& cost);

}  // namespace weft::synth
