// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verif/dut_description.h"
#include "verif/shim/dut_abi.h"

namespace weft::verif {

/// A loaded DUT: the code. Several DUTs, and several instances of one, live in one process.
class DutLibrary {
 public:
  /// Loads the shared object at `path`. Throws ToolError when it is not one of the engine's.
  explicit DutLibrary(const std::filesystem::path& path);
  ~DutLibrary();
  DutLibrary(const DutLibrary&) = delete;
  DutLibrary& operator=(const DutLibrary&) = delete;

  [[nodiscard]] const weft_dut_entry_points& entry() const { return *entry_; }

 private:
  void* handle_ = nullptr;
  const weft_dut_entry_points* entry_ = nullptr;
};

/// What one source offers: packed beats (see BeatLayout) and the pauses before them.
struct SourceBeats {
  std::vector<std::uint8_t> beats;
  std::size_t count = 0;
  std::vector<std::uint32_t> gaps;  ///< clock cycles before each beat; missing ones are 0
};

/// What one sink took.
struct SinkLog {
  std::vector<std::uint8_t> beats;     ///< packed
  std::vector<std::uint64_t> cycles;   ///< clock cycle of each
  std::uint64_t faults = 0;            ///< protocol violations: valid dropped, payload changed ...
  std::uint64_t fault_cycle = 0;
  std::string fault;                   ///< what the first one was
};

/// Everything that a run showed.
struct RunLog {
  std::uint64_t cycles = 0;                            ///< clock cycles run
  std::vector<std::vector<std::uint64_t>> accepted;    ///< [source][beat], only beats accepted
  std::vector<SinkLog> sinks;
};

/// One instance of a DUT with its own state and time.
class Dut {
 public:
  /// `description` must be that from which the library was built.
  Dut(std::shared_ptr<const DutLibrary> library, const DutDescription& description);
  ~Dut();
  Dut(const Dut&) = delete;
  Dut& operator=(const Dut&) = delete;

  /// Holds reset for `cycles` (at least 1); clock cycle 0 is the first after it. With `noise` the
  /// streams are busy with garbage meanwhile.
  void reset(std::uint64_t cycles, bool noise = true);

  /// Offers `sources`, takes with the repeating patterns `ready` (empty: always), and runs `cycles` clock
  /// cycles from the current one. The log is reused: hand in the same object to avoid allocation.
  void run(std::uint64_t cycles, std::span<const SourceBeats> sources,
           std::span<const std::vector<std::uint8_t>> ready, RunLog& log);

  /// Runs the loop that does nothing but drive the model (weft_dut_entry_points::bare).
  std::uint64_t run_bare(std::uint64_t cycles, std::span<const SourceBeats> sources);

  /// Writes an FST waveform from here on. Needs a tracing build. Throws UserError when the file cannot be written.
  void trace(const std::filesystem::path& path);

 private:
  std::shared_ptr<const DutLibrary> library_;
  std::vector<BeatLayout> source_layouts_;
  std::vector<BeatLayout> sink_layouts_;
  weft_dut* dut_ = nullptr;
};

}  // namespace weft::verif
