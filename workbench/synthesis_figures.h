// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "arch/config.h"
#include "workbench/evaluate.h"
#include "workbench/figures.h"

/// What synthesis tells of a design of any kind.
namespace weft::workbench {

/// The figures of synthesis, `figurist`'s own among them.
/// @throws UserError if energy is asked for of an FPGA.
[[nodiscard]] std::vector<Metric> synthesis_metrics(const Conditions& conditions,
                                                    const Figurist& figurist);

/// Composed of blocks as `weft synth` does; for energy, and on FPGAs, flat. The figures are those
/// of synthesis_metrics().
[[nodiscard]] Figures synthesise(const arch::Config& config, const Conditions& conditions,
                                 Figurist& figurist, const std::filesystem::path& directory);

/// The conditions that all designs' synthesis depends on, with the contents of the library and the
/// versions of the tools.
/// @throws UserError if the library cannot be read; ToolError if a tool is missing.
[[nodiscard]] nlohmann::json relevant_to_synthesis(const Conditions& conditions);

}  // namespace weft::workbench
