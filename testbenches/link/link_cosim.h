// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arch/network/link.h"
#include "testbenches/link/link_bench.h"
#include "testbenches/link/link_rtl.h"
#include "verif/coverage.h"
#include "verif/dut_builder.h"
#include "verif/test_report.h"

namespace weft::verif {

/// What a co-simulation of a link is to do.
struct LinkCosimOptions {
  std::uint64_t seed = 1;
  std::uint64_t transactions = 1000;  ///< flits of random scenarios, at least; behind the directed
  std::optional<std::uint64_t> scenario;       ///< only this one, to reproduce a failure
  std::optional<std::filesystem::path> trace;  ///< FST file; needs a build of its own, and is slow
  BuildOptions build;
  std::string command = "weft cosim";                ///< how a reproduction line begins
  std::function<void(const std::string&)> progress;  ///< is told about long steps; may be empty
};

/// What it found. Everything that was compared agreed if passed().
struct LinkCosimReport {
  std::uint64_t seed = 0;
  std::uint64_t scenarios = 0;  ///< experiments, each from its own reset on
  std::uint64_t cycles = 0;     ///< simulated, of both ends together
  std::array<DirectionTotals, 2> totals;
  std::uint64_t restarts = 0;  ///< of an end because the other was reset
  double run_seconds = 0;      ///< wall time without build
  double build_seconds = 0;
  bool cached = false;                           ///< the design was built before
  std::string digest;                            ///< of the built design
  std::string first_mismatch;                    ///< empty if passed
  std::string reproduce;                         ///< the command line that shows it with a waveform
  std::vector<std::filesystem::path> waveforms;  ///< one an end, if they were asked for
  Coverage coverage;
  TestReport tests;  ///< one entry a kind of scenario

  [[nodiscard]] bool passed() const { return first_mismatch.empty(); }
};

/// Joins two ends in RTL by wires with faults, runs traffic, and compares every pin with the model
/// in every cycle and every flit with what was sent. Stops after the first scenario with a
/// mismatch. Throws ToolError when the design cannot be built or run, UserError for an impossible
/// option or path.
[[nodiscard]] LinkCosimReport run_cosim(const arch::Link& link, const LinkRtl& rtl,
                                        const LinkCosimOptions& options = {});

/// {status, seed, scenarios, cycles, flits, bad_frames, replays, restarts, cached, ...}.
[[nodiscard]] nlohmann::ordered_json to_json(const LinkCosimReport& report);

}  // namespace weft::verif
