// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verif/dut_description.h"
#include "verif/dut_library.h"
#include "verif/shim/dut_abi.h"

namespace weft::verif {

/// What one source offers: packed beats (see BeatLayout) and the pauses before them.
struct SourceBeats {
  std::vector<std::uint8_t> beats;
  std::size_t count = 0;
  std::vector<std::uint32_t> gaps;  ///< clock cycles before each beat, or empty: all 0
};

/// What one sink took. `beats` and `cycles` have room for more than `count`.
struct SinkLog {
  std::size_t count = 0;
  std::vector<std::uint8_t> beats;    ///< packed, and 8 bytes that may be read beyond
  std::vector<std::uint64_t> cycles;  ///< [beat][lane group]: clock cycle in which each moved
  std::uint64_t faults = 0;           ///< protocol violations: valid dropped, payload changed ...
  std::uint64_t fault_cycle = 0;
  std::string fault;  ///< what the first one was
};

/// One instance of a DUT with streams. An experiment is `reset`, `offer`, then as
/// many `run` as it takes; what was seen gathers in the logs.
class Dut : public DutInstance {
 public:
  /// As DutInstance; `description` must be that from which the library was built.
  Dut(const std::shared_ptr<const DutLibrary>& library, const DutDescription& description,
      std::int32_t seed = 1);

  /// Holds reset for `cycles` (at least 1); clock cycle 0 is the first after it. With `noise` the
  /// streams are busy with garbage meanwhile. Forgets what was offered.
  void reset(std::uint64_t cycles, bool noise = true);

  /// What the sources offer from now on, one entry a source, and the sinks' repeating ready
  /// patterns (empty or missing: always ready). Both must outlive the experiment. Empties the logs.
  /// With `more`, each source will be refilled.
  void offer(std::span<const SourceBeats> sources, std::span<const std::vector<std::uint8_t>> ready,
             bool more = false);

  /// Source `s` has had all its beats accepted and waits to be refilled.
  [[nodiscard]] bool dry(std::size_t s) const;

  /// Gives a dry source its next beats; the first one's gap counts from the last acceptance. Starts
  /// accepted(s) anew.
  void refill(std::size_t s, const SourceBeats& beats, bool more);

  /// Sink `k` ends a run when it has taken `count` beats since its log was emptied.
  void stop_at(std::size_t k, std::size_t count);

  /// Runs `cycles` clock cycles, fewer only when a source is dry after them or a sink has what
  /// stop_at asked for; returns how many.
  /// Throws ToolError when the simulation gives up.
  std::uint64_t run(std::uint64_t cycles);

  /// Forgets the beats that sink `k` took so far.
  void clear_sink(std::size_t k);

  [[nodiscard]] std::uint64_t now() const { return now_; }  ///< clock cycles since reset
  /// Clock cycles in which the beats last given to source `s` were accepted so far.
  [[nodiscard]] std::span<const std::uint64_t> accepted(std::size_t s) const;
  [[nodiscard]] const SinkLog& sink(std::size_t k) const { return sinks_[k]; }

  /// Runs the loop that does nothing but drive the model (WeftDutEntryPoints::bare); returns how
  /// many beats each source moved.
  std::vector<std::uint64_t> run_bare(std::uint64_t cycles, std::span<const SourceBeats> sources);

 private:
  std::vector<std::size_t> source_strides_;
  std::vector<std::size_t> sink_strides_;
  std::vector<std::size_t> sink_groups_;
  std::vector<WeftSource> source_state_;
  std::vector<WeftSink> sink_state_;
  std::vector<std::vector<std::uint64_t>> accepted_;
  std::vector<SinkLog> sinks_;
  std::uint64_t now_ = 0;
};

}  // namespace weft::verif
