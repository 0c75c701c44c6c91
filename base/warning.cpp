// SPDX-License-Identifier: Apache-2.0
#include "base/warning.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <set>

namespace weft::base {

void warn_once(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::lock_guard lock(mutex);
  if (!told.insert(text).second) return;
  // A step may be telling its progress on this line, and will tell it again on the next one.
  const char* const own_line = ::isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "";
  fmt::print(stderr, "{}warning: {}\n", own_line, text);
}

}  // namespace weft::base
