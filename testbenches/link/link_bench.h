// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "arch/network/link.h"
#include "systemc_models/link_endpoint.h"
#include "testbenches/link/channel.h"
#include "testbenches/link/flit_scoreboard.h"
#include "testbenches/link/link_scenario.h"
#include "testbenches/link/rtl_endpoint.h"
#include "verif/coverage.h"

namespace weft::verif {

/// What was seen of one direction of a link.
struct DirectionTotals {
  std::uint64_t flits = 0;    ///< that came out
  std::uint64_t errors = 0;   ///< frames that the receiver found bad
  std::uint64_t replays = 0;  ///< of the sender

  /// The same from the first flit of a run until the last, and the cycles in between.
  struct Streamed {
    std::uint64_t flits = 0;
    std::uint64_t cycles = 0;
    std::uint64_t errors = 0;
    std::uint64_t replays = 0;
  } streamed;
};

/// One end as it is built. Without a library the model stands in for the RTL: for what links do
/// under faults, quickly and without tools.
struct LinkEnd {
  arch::Link link;
  std::shared_ptr<const DutLibrary> library;
  DutDescription description;
};

/// Two ends in RTL, joined by wires with faults; beside each a model that is given the same inputs
/// and must drive the same outputs in every cycle; and scoreboards of the flits. No state is kept
/// between runs, except totals.
class LinkBench {
 public:
  explicit LinkBench(const LinkEnd& end) : LinkBench(end, end) {}
  /// Ends that differ.
  LinkBench(const LinkEnd& a, const LinkEnd& b);
  ~LinkBench();

  /// Runs a scenario: traffic, then draining, then a count of the credits. Returns the first
  /// thing that was wrong, with its cycle; empty if all was right.
  [[nodiscard]] std::string run(const LinkScenario& scenario);

  /// Runs the wires and events of a scenario for so many cycles, without traffic: for links that
  /// should not come up.
  [[nodiscard]] std::string idle(const LinkScenario& scenario, std::uint64_t cycles);
  /// What an end drove in the last cycle; it must not be in reset.
  [[nodiscard]] const arch::LinkOutputs& outputs(int end) const;

  /// Waveforms from here on: of end 0 in `path`, of end 1 beside it with `_1` behind its name.
  /// Needs tracing builds. Returns the files.
  std::vector<std::filesystem::path> trace(const std::filesystem::path& path);

  [[nodiscard]] const DirectionTotals& totals(int direction) const;
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }
  [[nodiscard]] std::uint64_t restarts() const { return restarts_; }
  /// Corners that the runs so far reached.
  [[nodiscard]] const Coverage& coverage() const { return coverage_; }

 private:
  struct End;
  class Experiment;

  std::array<std::unique_ptr<End>, 2> ends_;
  std::array<DirectionTotals, 2> totals_;
  std::uint64_t cycles_ = 0;
  std::uint64_t restarts_ = 0;
  Coverage coverage_;
};

}  // namespace weft::verif
