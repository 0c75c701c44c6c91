// SPDX-License-Identifier: Apache-2.0
#include "base/installation.h"

namespace weft::base {

std::string_view version() { return WEFT_VERSION; }

std::filesystem::path data_directory() {
  const auto executable = std::filesystem::read_symlink("/proc/self/exe");
  return executable.parent_path().parent_path() / "share" / "weft";
}

}  // namespace weft::base
