// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

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

  [[nodiscard]] const WeftDutEntryPoints& entry() const { return *entry_; }

 private:
  void* handle_ = nullptr;
  const WeftDutEntryPoints* entry_ = nullptr;
};

/// One instance of a DUT with its own state and time, however it is driven.
class DutInstance {
 public:
  ~DutInstance();
  DutInstance(const DutInstance&) = delete;
  DutInstance& operator=(const DutInstance&) = delete;

  /// Writes an FST waveform from here on. Needs a tracing build. Throws UserError when the file
  /// cannot be written or the path is something else than a file.
  void trace(const std::filesystem::path& path);

 protected:
  /// Registers power up with random values drawn from `seed`, as silicon's do. `fits`: whether the
  /// library is what the caller takes it for; std::logic_error if not.
  DutInstance(std::shared_ptr<const DutLibrary> library, bool fits, std::int32_t seed);

  /// Holds reset for `cycles` (at least 1). With `noise` the other inputs are busy with garbage
  /// meanwhile.
  void hold_reset(std::uint64_t cycles, bool noise);
  /// Reports that the simulation gave up: ToolError.
  [[noreturn]] void fail() const;

  [[nodiscard]] const WeftDutEntryPoints& entry() const { return library_->entry(); }
  [[nodiscard]] WeftDut* dut() const { return dut_; }

 private:
  std::shared_ptr<const DutLibrary> library_;
  WeftDut* dut_ = nullptr;
};

}  // namespace weft::verif
