// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace weft::synth {

/// A folder that one run at a time uses: as long as this lives, others who want to hold the same
/// folder wait, be it in this process or in another.
class FolderLock {
 public:
  /// Makes the folder, then waits until nobody else holds it; `waiting` is told if it must. Throws
  /// UserError if the folder cannot be made or locked, Interrupted if a signal ends the wait.
  explicit FolderLock(const std::filesystem::path& folder,
                      const std::function<void(std::string_view)>& waiting = {});
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// The folder, as a canonical path.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::filesystem::path file_;
  int descriptor_ = -1;
};

/// `held` if it holds this folder, else a lock of its own.
std::shared_ptr<const FolderLock> hold_folder(
    const std::filesystem::path& folder, const std::shared_ptr<const FolderLock>& held,
    const std::function<void(std::string_view)>& waiting = {});

}  // namespace weft::synth
