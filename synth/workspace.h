// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "synth/cache.h"

namespace weft::synth {

/// The directory of a run. Until keep() is called the products of the run are temporary: leaving
/// the scope by an exception removes them, so that a directory never holds half of a result.
class Workspace {
 public:
  /// Makes the directory and removes what a former run left of the same names.
  explicit Workspace(std::filesystem::path directory);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
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
  std::filesystem::path directory_;
  bool kept_ = false;
};

}  // namespace weft::synth
