// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace weft::synth {

/// Files by relative name.
using FileSet = std::map<std::string, std::string>;

/// Sets of files under a key, in a directory that several processes may use at once.
///
/// A set is one compressed file. It appears under its name only when it is complete, and its
/// checksum is verified when it is read, so a torn or damaged entry counts as missing.
class Cache {
 public:
  /// An empty directory name makes a cache that stores and finds nothing.
  explicit Cache(std::filesystem::path directory) : directory_(std::move(directory)) {}

  [[nodiscard]] std::optional<FileSet> find(const std::string& key) const;
  /// Warns the user if the directory cannot be written.
  void store(const std::string& key, const FileSet& files) const;

 private:
  [[nodiscard]] std::filesystem::path entry(const std::string& key) const;

  std::filesystem::path directory_;
};

}  // namespace weft::synth
