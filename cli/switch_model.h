// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "arch/config.h"
#include "workbench/switch_model.h"

namespace weft::cli {

/// How exact a switch is simulated.
enum class SwitchModelKind {
  rtl,     ///< the generated Verilog
  cycle,   ///< the model that is exact in every cycle
  packet,  ///< the model in which a packet is an event
};

/// The kind of that name. Throws UserError.
[[nodiscard]] SwitchModelKind switch_model_kind(const std::string& name);

/// `config` holds a switch. `single_fifo`: sources keep all their packets in one FIFO. RTL is
/// built, or found in the cache (empty: the user's); that is told as a step. Throws UserError for
/// what a model does not cover, ToolError.
[[nodiscard]] std::unique_ptr<workbench::SwitchModel> make_switch_model(
    SwitchModelKind kind, const arch::Config& config, bool single_fifo,
    const std::filesystem::path& cache);

}  // namespace weft::cli
