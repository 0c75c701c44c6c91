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
#include "base/sha256.h"

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
      throw UserError(
          fmt::format("cannot write to the build cache: {}: {}; WEFT_CACHE names another place",
                      path.string(), std::strerror(errno)));
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

}  // namespace

BuildCache::BuildCache(fs::path root) : root_(root.empty() ? default_root() : std::move(root)) {
  root_ = fs::absolute(root_);
}

BuildCache::Entry BuildCache::get(const std::string& digest, const std::string& name,
                                  const std::function<void(const fs::path&)>& build) const {
  const fs::path entry = root_ / "entries" / digest;
  if (intact(entry, name)) return {entry / name, true};

  for (const char* directory : {"entries", "locks", "work"})
    base::make_directories(root_ / directory);
  const FileLock lock(root_ / "locks" / digest);
  if (intact(entry, name)) return {entry / name, true};

  const fs::path work = root_ / "work" / digest;
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
  const fs::path finished = root_ / "work" / (digest + ".entry");
  fs::remove_all(finished);
  base::make_directories(finished);
  fs::rename(work / name, finished / name);
  base::write_file_atomic(finished / "sha256", base::sha256(base::read_file(finished / name)));
  fs::remove_all(entry);
  fs::rename(finished, entry);
  fs::remove_all(work);
  return {entry / name, false};
}

}  // namespace weft::verif
