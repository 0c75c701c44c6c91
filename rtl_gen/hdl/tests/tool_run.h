// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace weft::rtl::hdl::test {

/// Standard output and error of a shell command, and its exit status.
struct ToolRun {
  int status = -1;
  std::string output;
};

/// Runs `command` in `directory`.
ToolRun run(const std::filesystem::path& directory, const std::string& command);

/// A fresh, empty directory that is removed when the object goes.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace weft::rtl::hdl::test
