// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace weft::base {

/// A new empty directory `.weft-HOST-PID-XXXXXX`, removed with the object. One whose process was
/// killed before it could do so is removed when the next one is made in the same place.
class OwnedDirectory {
 public:
  /// Makes it inside `parent`. Throws UserError, naming `parent` and the reason.
  explicit OwnedDirectory(const std::filesystem::path& parent);
  ~OwnedDirectory();
  OwnedDirectory(const OwnedDirectory&) = delete;
  OwnedDirectory& operator=(const OwnedDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace weft::base
