// SPDX-License-Identifier: Apache-2.0
#include "synth/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"

namespace weft::synth {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, int error) {
  throw UserError(
      fmt::format("cannot lock '{}': {}", file.string(), std::generic_category().message(error)));
}

/// Locks an open file; false if somebody else holds it and we are not to wait.
bool lock(int descriptor, const fs::path& file, bool wait) {
  while (::flock(descriptor, wait ? LOCK_EX : LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) refuse(file, errno);
    base::check_interrupt();
  }
  return true;
}

/// Whether the file is still the one of that name: its last holder removed it.
bool is_current(int descriptor, const fs::path& file) {
  struct stat ours = {};
  struct stat named = {};
  return ::fstat(descriptor, &ours) == 0 && ::stat(file.c_str(), &named) == 0 &&
         ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder,
                       const std::function<void(std::string_view)>& waiting) {
  for (bool told = false;;) {
    base::make_directories(folder);
    folder_ = fs::canonical(folder);
    file_ = folder_ / ".lock";
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno == ENOENT) continue;  // the folder was removed since
    if (descriptor_ < 0) refuse(file_, errno);
    try {
      if (!lock(descriptor_, file_, false)) {
        if (waiting && !told)
          waiting(fmt::format("waiting for another run that uses {}", folder_.string()));
        told = true;
        lock(descriptor_, file_, true);
      }
    } catch (...) {
      ::close(descriptor_);
      throw;
    }
    if (is_current(descriptor_, file_)) return;
    ::close(descriptor_);
  }
}

FolderLock::~FolderLock() {
  ::unlink(file_.c_str());
  ::close(descriptor_);
}

std::shared_ptr<const FolderLock> hold_folder(
    const fs::path& folder, const std::shared_ptr<const FolderLock>& held,
    const std::function<void(std::string_view)>& waiting) {
  base::make_directories(folder);
  if (held && held->folder() == fs::canonical(folder)) return held;
  return std::make_shared<const FolderLock>(folder, waiting);
}

}  // namespace weft::synth
