// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "synth/macro.h"
#include "synth/survey.h"
#include "synth/target.h"

namespace weft::synth {

/// What a memory is estimated to cost as an SRAM or register-file macro. A model, not a
/// measurement: docs/synthesis.md has its formulas and sources.
struct MemoryModel {
  double area_um2 = 0;
  double access_ns = 0;  ///< from the address, or the clock edge, to the data
  double setup_ns = 0;   ///< of the inputs of a write
};

/// The delay of a target's driving cell in the middle of its table: that of a gate with a usual
/// load, and about the slope of its output.
double gate_delay_ns(const Target& target);

MemoryModel model_memory(const MemoryShape& memory, const Target& target);

/// The black box for it, with the timing of the model. `cell` is the name to be.
Macro memory_macro(const MemoryShape& memory, const std::string& cell, const MemoryModel& model);

}  // namespace weft::synth
