// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace weft::verif {

/// Files that are expensive to make, kept under the digest of everything that determines them.
/// Processes and threads share a cache: of those that want the same entry, one builds, the
/// others wait. An entry appears at once or not at all, and is checked before each use: a
/// damaged one is built again. Where the cache has no room or may not be written, what is built
/// lives as long as the process, and the user is warned.
class BuildCache {
 public:
  /// The cache in `root`; empty: $WEFT_CACHE, else $XDG_CACHE_HOME/weft, else ~/.cache/weft.
  explicit BuildCache(std::filesystem::path root = {});

  struct Entry {
    std::filesystem::path file;
    bool cached = false;  ///< was there already
  };

  /// The file `name` of entry `digest`. Unless it is there, calls `build` with an empty directory
  /// in which it must leave a file of that name. When `build` throws a ToolError the directory
  /// stays, for its logs, until the next attempt.
  Entry get(const std::string& digest, const std::string& name,
            const std::function<void(const std::filesystem::path&)>& build) const;

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

}  // namespace weft::verif
