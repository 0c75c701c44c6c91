// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "synth/compose.h"
#include "synth/synth.h"
#include "workbench/synthesis_job.h"

namespace weft::cli {

/// The options of `weft synth`, as they were given.
struct SynthOptions {
  std::vector<std::string> inputs;
  std::string top;
  std::vector<std::string> parameters;  ///< NAME=VALUE
  std::uint64_t macs = 0;
  std::string clock = "5ns";
  std::string timeout;
  std::string directory;
  std::string json;
  std::string csv;
  std::string svg;
  std::string cache;
  bool list_recipes = false;
  bool require_timing = false;
  bool fastest = false;
  double tolerance = 0.01;
  bool flat = false;
  bool composed = false;
  bool compare = false;
  synth::CompositionOptions composition;
  std::string treemap;
  int frontier = -1;       ///< clocks per recipe; negative: no frontier
  bool any_recipe = true;  ///< no recipe was named: the frontier takes all
  std::string project_to;
  std::string node;
  synth::Request request;  ///< what needs no conversion
};

/// Adds them to the command. They must live as long as it.
void add_options(CLI::App& command, SynthOptions& options);

/// What to synthesise: Verilog files as they are, or what is generated from a configuration. Throws
/// UserError.
workbench::SynthesisJob make_job(const SynthOptions& options);

}  // namespace weft::cli
