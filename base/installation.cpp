// SPDX-License-Identifier: Apache-2.0
#include "base/installation.h"

#include <utility>

namespace weft::base {
namespace {

std::filesystem::path& given_directory() {
  static std::filesystem::path directory;
  return directory;
}

}  // namespace

std::string_view version() { return WEFT_VERSION; }

std::filesystem::path data_directory() {
  if (!given_directory().empty()) return given_directory();
  const auto executable = std::filesystem::read_symlink("/proc/self/exe");
  return executable.parent_path().parent_path() / "share" / "weft";
}

void set_data_directory(std::filesystem::path directory) {
  given_directory() = std::move(directory);
}

}  // namespace weft::base
