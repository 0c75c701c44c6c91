// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "synth/cache.h"
#include "synth/folder_lock.h"

namespace weft::synth {

/// The directory of a run, which nobody else uses meanwhile. Until keep() is called the products of
/// the run are temporary: leaving the scope by an exception removes them, so that a directory never
/// holds half of a result.
class Workspace {
 public:
  /// Makes the directory, waits until no other run uses it (unless it is what `held` holds), and
  /// removes what a former run left of the same names.
  explicit Workspace(const std::filesystem::path& directory,
                     const std::shared_ptr<const FolderLock>& held = {},
                     const std::function<void(std::string_view)>& waiting = {});
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  [[nodiscard]] const std::filesystem::path& directory() const { return lock_->folder(); }
  /// Absolute path of a file of the run.
  [[nodiscard]] std::filesystem::path path(const std::string& name) const;
  /// A directory for the tools' temporary files, removed at the end.
  [[nodiscard]] std::filesystem::path temporary() const { return path(".tmp"); }

  void write(const std::string& name, std::string_view content) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  /// All files of the run that are worth keeping: inputs, scripts, logs and products.
  [[nodiscard]] FileSet collect() const;

  /// The run is complete: its products stay.
  void keep() { kept_ = true; }
  /// The run was interrupted: nothing of it stays.
  void discard();

 private:
  std::shared_ptr<const FolderLock> lock_;
  bool kept_ = false;
};

}  // namespace weft::synth
