// SPDX-License-Identifier: Apache-2.0
#include "base/owned_directory.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX, not C++
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX, not C++
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.h"

namespace weft::base {
namespace fs = std::filesystem;
namespace {

/// How the names of those begin that processes of this machine own: others' cannot be asked for.
std::string prefix() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return fmt::format(".weft-{}-", host.data());
}

/// Whether it is the name of one whose process is gone.
bool is_stale(std::string_view name, std::string_view start) {
  if (!name.starts_with(start)) return false;
  name.remove_prefix(start.size());
  pid_t owner = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), owner);
  const bool named = parsed.ec == std::errc() && parsed.ptr != name.data() + name.size() &&
                     *parsed.ptr == '-' && owner > 0;
  return named && ::kill(owner, 0) != 0 && errno == ESRCH;
}

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

}  // namespace

OwnedDirectory::OwnedDirectory(const fs::path& parent) {
  const std::string start = prefix();
  std::error_code ignored;
  std::vector<fs::path> stale;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (is_stale(entry.path().filename().string(), start)) stale.push_back(entry.path());
  }
  for (const fs::path& path : stale) remove_quietly(path);

  std::string pattern = (parent / fmt::format("{}{}-XXXXXX", start, ::getpid())).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw UserError(fmt::format("cannot write '{}': {}", parent.string(),
                                std::generic_category().message(errno)));
  }
  path_ = pattern;
}

OwnedDirectory::~OwnedDirectory() { remove_quietly(path_); }

}  // namespace weft::base
