// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"

namespace weft::base {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string_view action, const fs::path& path, int error) {
  throw UserError(fmt::format("cannot {} '{}': {}", action, path.string(),
                              std::generic_category().message(error)));
}

/// An open file descriptor, closed at the end of its life.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  [[nodiscard]] int get() const { return fd_; }
  /// Errors of earlier writes can first show here (network file systems, quotas).
  [[nodiscard]] bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// Removes a file at the end of its life, unless it was kept.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  void keep() { path_.clear(); }

 private:
  fs::path path_;
};

void write_directly(const fs::path& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) refuse("write", path, errno);
  write_descriptor(file.get(), bytes, path.string());
  if (!file.close()) refuse("write", path, errno);
}

void write_and_rename(const fs::path& path, std::string_view bytes) {
  static std::atomic<unsigned> serial = 0;
  const fs::path temporary =
      path.parent_path() /
      fmt::format(".{}.{}.{}.tmp", path.filename().string(), ::getpid(), serial++);
  // Not mkstemp: the file must get the permissions that the user's umask gives.
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) refuse("write", path, errno);
  TemporaryFile guard(temporary);
  write_descriptor(file.get(), bytes, path.string());
  if (::fsync(file.get()) != 0 || !file.close()) refuse("write", path, errno);
  if (::rename(temporary.c_str(), path.c_str()) != 0) refuse("write", path, errno);
  guard.keep();
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) refuse("read", path, errno);
  std::string bytes;
  std::array<char, 65536> block{};
  while (true) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got == 0) return bytes;
    if (got > 0) {
      bytes.append(block.data(), static_cast<std::size_t>(got));
      if (bytes.size() > limit) {
        throw UserError(
            fmt::format("cannot read '{}': it has more than {} bytes", path.string(), limit));
      }
    } else if (errno == EINTR) {
      check_interrupt();
    } else {
      refuse("read", path, errno);
    }
  }
}

void write_file_atomic(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) refuse("write", path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_directly(path, bytes);
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  write_and_rename(error ? path : target, bytes);
}

void write_descriptor(int descriptor, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) refuse("write", name, errno);
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    // A signal can also show as a write of fewer bytes than it was given.
    if (!bytes.empty()) check_interrupt();
  }
}

void make_directories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) refuse("make directory", path, error.value());
  // An existing file by that name is no error to create_directories.
  if (!fs::is_directory(path)) refuse("make directory", path, ENOTDIR);
}

}  // namespace weft::base
