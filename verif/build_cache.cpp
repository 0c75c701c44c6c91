// SPDX-License-Identifier: Apache-2.0
#include "verif/build_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/owned_directory.h"
#include "base/sha256.h"
#include "base/warning.h"

namespace weft::verif {
namespace fs = std::filesystem;
namespace {

fs::path default_root() {
  if (const char* set = std::getenv("WEFT_CACHE"); set != nullptr && *set != '\0') return set;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != '\0') {
    return fs::path(xdg) / "weft";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return fs::path(home) / ".cache" / "weft";
  }
  throw UserError("no place for the build cache: set WEFT_CACHE to a directory");
}

/// An exclusive lock on a file; the kernel releases it however the process ends.
class FileLock {
 public:
  explicit FileLock(const fs::path& path)
      : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) {
      throw UserError(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
    }
    while (flock(descriptor_, LOCK_EX) != 0) {
      base::check_interrupt();
    }
  }
  ~FileLock() { close(descriptor_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

/// An entry is good when its file has the digest that was noted when it was made.
bool intact(const fs::path& entry, const std::string& name) {
  std::error_code error;
  if (!fs::is_regular_file(entry / name, error) || !fs::is_regular_file(entry / "sha256", error)) {
    return false;
  }
  try {
    return base::sha256(base::read_file(entry / name)) == base::read_file(entry / "sha256");
  } catch (const UserError&) {
    return false;
  }
}

/// The entry in a cache that can be written, built unless it is there.
BuildCache::Entry get_or_build(const fs::path& root, const std::string& digest,
                               const std::string& name,
                               const std::function<void(const fs::path&)>& build) {
  const fs::path entry = root / "entries" / digest;
  const FileLock lock(root / "locks" / digest);
  if (intact(entry, name)) return {entry / name, true};

  const fs::path work = root / "work" / digest;
  fs::remove_all(work);
  base::make_directories(work);
  try {
    build(work);
  } catch (const ToolError&) {
    throw;
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(work, ignored);
    throw;
  }
  const fs::path finished = root / "work" / (digest + ".entry");
  fs::remove_all(finished);
  base::make_directories(finished);
  fs::rename(work / name, finished / name);
  base::write_file_atomic(finished / "sha256", base::sha256(base::read_file(finished / name)));
  fs::remove_all(entry);
  fs::rename(finished, entry);
  fs::remove_all(work);
  return {entry / name, false};
}

/// Makes the folders of a cache. Says why nothing can be written there; nothing if it can.
std::string why_unwritable(const fs::path& root) {
  constexpr std::uintmax_t room_for_a_build = std::uintmax_t{32} << 20;
  for (const char* directory : {"entries", "locks", "work"}) {
    std::error_code error;
    fs::create_directories(root / directory, error);
    if (error) return error.message();
    if (::access((root / directory).c_str(), W_OK) != 0) return std::strerror(errno);
  }
  std::error_code error;
  const fs::space_info space = fs::space(root, error);
  if (!error && space.available < room_for_a_build) return "no space left";
  return "";
}

}  // namespace

BuildCache::BuildCache(fs::path root) : root_(root.empty() ? default_root() : std::move(root)) {
  root_ = fs::absolute(root_);
}

BuildCache::Entry BuildCache::get(const std::string& digest, const std::string& name,
                                  const std::function<void(const fs::path&)>& build) const {
  const fs::path entry = root_ / "entries" / digest;
  if (intact(entry, name)) return {entry / name, true};
  const std::string reason = why_unwritable(root_);
  if (reason.empty()) return get_or_build(root_, digest, name, build);

  base::warn_once(
      fmt::format("the cache {} cannot be written ({}): what is built is not kept; "
                  "--cache or WEFT_CACHE names another place",
                  root_.string(), reason));
  static const base::OwnedDirectory instead(fs::temp_directory_path());
  const std::string none_either = why_unwritable(instead.path());
  if (!none_either.empty()) {
    throw UserError(
        fmt::format("nothing can be built in {} either ({}); TMPDIR names another place",
                    instead.path().string(), none_either));
  }
  return get_or_build(instead.path(), digest, name, build);
}

}  // namespace weft::verif
