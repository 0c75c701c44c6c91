// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "arch/config.h"
#include "synth/hierarchy.h"
#include "synth/synth.h"

namespace weft::workbench {

/// What is to be synthesised, and how it is made up.
struct SynthesisJob {
  synth::Request request;
  std::optional<synth::Hierarchy> hierarchy;  ///< none of Verilog files
};

/// The job that synthesises the design of a configuration: its Verilog is generated into the
/// folder `rtl` of the run's folder (empty: NAME_synth), the rest is as in `request`.
[[nodiscard]] SynthesisJob configuration_job(const arch::Config& config,
                                             const std::filesystem::path& directory,
                                             synth::Request request);

/// The folder of former results within a cache; empty: the cache that the co-simulation uses.
[[nodiscard]] std::filesystem::path synth_cache(const std::filesystem::path& cache);

}  // namespace weft::workbench
